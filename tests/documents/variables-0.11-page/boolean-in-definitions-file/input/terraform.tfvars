frozen = true
wet = false

variable "secret" {
  type      = string
  sensitive = true
  default   = null
}

resource "shelf_deep" "a" {
  board {
    text = var.secret
    pin {
      text = var.secret
    }
  }
}

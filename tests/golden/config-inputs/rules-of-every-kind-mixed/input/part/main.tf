variable "tags" {
  type = map(string)
}

output "names" {
  value = keys(var.tags)

  precondition {
    condition     = length(var.tags) > 0
    error_message = "None."
  }
}

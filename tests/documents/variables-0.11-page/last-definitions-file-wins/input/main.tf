variable "fish" {}

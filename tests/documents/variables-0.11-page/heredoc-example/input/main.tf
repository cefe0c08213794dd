variable "song" {
  type = "string"
  default = <<END
The carp swims low.
The pike swims high.
END
}

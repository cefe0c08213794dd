resource "_x" "p" {
  provider = terraform
}

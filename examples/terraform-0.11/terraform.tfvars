ports = {
  http = 8080
}

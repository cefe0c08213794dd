terraform {
  required_providers {
    lake = { version = "2" }
    sea  = {}
  }
}

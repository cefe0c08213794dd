terraform {
  required_providers {
    lake = {}
  }
}

terraform {
  required_providers {
    pond = {}
  }
}

terraform {
  required_providers {
    lake = {
      source  = "acme/lake"
      version = "2.5.0"
    }
  }
}

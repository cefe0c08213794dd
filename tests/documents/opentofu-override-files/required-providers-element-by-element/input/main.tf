terraform {
  required_providers {
    pond = {
      source  = "acme/pond"
      version = "1.0.0"
    }
    lake = {
      source  = "acme/lake"
      version = "2.0.0"
    }
  }
}

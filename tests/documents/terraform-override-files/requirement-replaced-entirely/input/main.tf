terraform {
  required_providers {
    pond = {
      source  = "acme/pond"
      version = "1.0.0"
    }
  }
}

terraform {
  required_providers {
    pond = {
      version = "3.0.0"
    }
  }
}

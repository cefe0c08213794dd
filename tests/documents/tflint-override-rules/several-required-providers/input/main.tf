terraform {
  required_providers {
    pond = {}
  }
}
terraform {
  required_providers {
    lake = {}
  }
}

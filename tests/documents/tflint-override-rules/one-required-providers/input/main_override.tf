terraform {
  required_providers {
    lake = {}
  }
}
terraform {
  required_providers {
    sea = {}
  }
}

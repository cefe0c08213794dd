locals {
  e = 5
}

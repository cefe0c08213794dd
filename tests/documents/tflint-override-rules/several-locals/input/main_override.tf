locals {
  plant = "lily"
  depth = 2
}

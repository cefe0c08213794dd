locals {
  plant = "lily"
  fish  = "tench"
}

module "m" {
  providers = {
    aws   = aws
    west  = aws.west
    "local" = local
    mine  = mine
    other = random
  }
}

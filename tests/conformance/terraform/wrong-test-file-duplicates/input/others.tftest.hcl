run "a" {
}
provider "aws" {
}

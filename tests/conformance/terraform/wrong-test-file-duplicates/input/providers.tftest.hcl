provider "aws" {
  version = "1.0"
}
provider "aws" {
  alias = "x"
  version = "nope"
}
provider "aws" {
  alias = "y"
  version = x
}
provider "AWS" {
}
provider "AWS" {
}
provider "aws" {
  alias = x
}
provider "aws" {
  alias = x
}
provider "aws" {
  alias = ""
}
mock_provider "aws" {
  alias = x
}
mock_provider "aws" {
  version = "1.0"
}
mock_provider "_x" {
}
provider "az" {
  alias = "1 y"
}
provider "az" {
  alias = "1 y"
}
mock_provider "az" {
  alias = "y"
  nope = 1
}
mock_provider "az" {
  alias = "y"
}
provider "az" {
  alias = "z"
  count = 1
}
provider "az" {
  alias = "z"
}
provider "bz" {
  alias = 1
}
provider "bz" {
  alias = "1"
}

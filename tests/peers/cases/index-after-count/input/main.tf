resource "terraform_data" "subnet" {
  count = 2
  input = "10.0.${count.index}.0/24"
}

resource "terraform_data" "host" {
  input = terraform_data.subnet[1].input
}

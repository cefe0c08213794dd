resource "terraform_data" "trimmed" {
  input = trimprefix("v1.2.3", "v")
}

resource "terraform_data" "replaced" {
  input = replace("web-01-a", "/[0-9]+/", "n")
}

resource "terraform_data" "first" {
  input = coalesce(null, "", "b")
}

variable "name" {
  default = "n"
}

resource "terraform_data" "first" {
  input = "${[for v in [var.name] : "fixed"][0]}!"
}

resource "terraform_data" "plain" {
  input = "a ${var.name} b"
}

resource "terraform_data" "list" {
  input = ["a ${[for v in [var.name] : "f"][0]} b", "k"]
}

resource "terraform_data" "object" {
  input = { k = "a%{ for v in [var.name] }x%{ endfor } b" }
}

resource "terraform_data" "tuple" {
  input = [for v in [var.name] : "f"]
}

resource "terraform_data" "element" {
  input = [for v in [var.name] : "f"][0]
}

resource "terraform_data" "branch" {
  input = "ab${true ? "c" : [for v in [var.name] : 1][0]}d"
}

resource "terraform_data" "inner" {
  input = "abc${"d%{ for v in [var.name] }x%{ endfor }"}e"
}

resource "terraform_data" "both" {
  input = "ab%{ for v in ["a", "b"] }x%{ endfor }${var.name}"
}

resource "terraform_data" "call" {
  input = "ab${length([for v in [var.name] : v])}"
}

resource "terraform_data" "sum" {
  input = "ab${1 + [for v in [var.name] : 1][0]}"
}

resource "terraform_data" "filter" {
  input = "ab${[for v in [1, 2] : "x" if v == 1][0]}c"
}

resource "terraform_data" "heredoc" {
  input = <<-EOT
  hello
  %{ for v in [var.name, 1] ~}
  x
  %{ endfor ~}
  bye
  EOT
}

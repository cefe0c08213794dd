output "taken" {
  value = true ? upper([]) : sensitive("x")
}
output "not_taken" {
  value = true ? "y" : (true ? upper([]) : sensitive("y"))
}
output "condition" {
  value = sensitive(true) ? upper([]) : 1
}
output "tried" {
  value = try(upper([]), sensitive("s"))
}
output "template" {
  value = "${upper([])}${sensitive("s")}"
}
output "list" {
  value = [upper([]), sensitive("s")]
}
output "object" {
  value = { a = upper([]), b = sensitive("s") }
}
output "argument" {
  value = upper(sensitive([]))
}
output "operator" {
  value = 1 + upper([]) + sensitive(1)
}
output "loop" {
  value = [for x in [sensitive(1), 2] : upper([])]
}
output "index" {
  value = sensitive([1])[upper([])]
}
output "call" {
  value = join("", [upper([])], sensitive(["a"]))
}
output "undeclared" {
  value = [local.nothing, sensitive(1)]
}
output "declared" {
  sensitive = true
  value     = [upper([]), sensitive("s")]
}

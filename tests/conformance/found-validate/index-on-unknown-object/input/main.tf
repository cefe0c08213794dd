resource "helm_release" "this" {
  name  = "n"
  chart = "c"
}

output "tried" {
  value = try(helm_release.this.metadata[0].name, null)
}

output "bare" {
  value = helm_release.this.metadata[0].name
}

output "name_key" {
  value = try(helm_release.this.metadata["made_up"], null)
}

resource "terraform_data" "y" {
  provisioner "local-exec" {
    command = try(self.id[null], self.output[null], self.output[true], self.id[true], "a")
  }
}
output "t" { value = can(terraform_data.x.output[1.5]) }
output "u" { value = can(terraform_data.x.output[-1]) }
output "v" { value = can(terraform_data.x.id[1.5]) }
output "w" { value = can(data.terraform_remote_state.s.defaults[1.5]) }
output "x" { value = can(terraform_data.x.id[1]) }

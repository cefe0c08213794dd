resource "terraform_data" "kept" {
  input = "base"
}

removed {
  from = terraform_data.gone

  lifecycle {
    destroy = false
  }
}

removed {
  from = terraform_data.destroyed

  lifecycle {
    destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
}

removed {
  from = module.former

  lifecycle {
    destroy = false
  }
}

//! Synthetic configuration of any size, the same in every run.

use std::fmt::Write as _;

/// Returns at least `size` bytes of native syntax: resources with expressions, nested blocks, heredocs and comments.
pub(crate) fn native(size: usize) -> String {
    let mut text = String::with_capacity(size + 2_000);
    let mut number = 0;
    while text.len() < size {
        let _ = write!(
            text,
            r#"# Service number {number}
variable "size_{number}" {{
  type        = map(object({{ count = number, tags = optional(list(string), []) }}))
  description = "How large service {number} is"
  default     = {{ small = {{ count = 1 }}, large = {{ count = 12.5, tags = ["a", "b-${{1}}"] }} }}
}}

resource "aws_instance" "service_{number}" {{
  ami           = data.aws_ami.base["{number}"].id
  instance_type = var.size_{number}["small"].count > 3 ? "m5.large" : "t3.micro"
  subnet_ids    = [for s in aws_subnet.all[*].id : lower(s) if s != null]
  user_data     = <<-EOT
    #!/bin/sh
    echo "${{var.name}} number {number}" > /etc/motd
  EOT
  tags = merge(local.tags, {{
    Name  = "service-${{local.environment}}-{number}"
    Owner = try(var.owners[{number}], "nobody")
  }})

  ebs_block_device {{
    device_name = "/dev/sda{number}"
    volume_size = 20 + {number}
  }}

  lifecycle {{
    create_before_destroy = true
    ignore_changes        = [ami, tags["Owner"]]
  }}
}}

output "address_{number}" {{
  value     = aws_instance.service_{number}.private_ip
  sensitive = false
}}

"#
        );
        number += 1;
    }
    text
}

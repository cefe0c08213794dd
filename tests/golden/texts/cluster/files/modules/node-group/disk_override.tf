# The images of this team need more space.
resource "aws_launch_template" "this" {
  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 200
      volume_type = "gp3"
    }
  }
}

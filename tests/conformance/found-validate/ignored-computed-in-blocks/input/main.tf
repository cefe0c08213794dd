terraform {
  required_providers {
    cloud = { source = "acme/cloud" }
  }
}
resource "cloud_server" "a" {
  name = "a"
  lifecycle {
    ignore_changes = [id, name, old, tags["x"], disk[0].path, disk[0].size, boot[0].seen]
  }
}
resource "cloud_server" "b" {
  name = "b"
  lifecycle {
    ignore_changes = [disk[0].path, disk[1].part[0].uuid, boot.seen, boot.mode, port["x"].seen, disk, disk[0], net[0].mac, net[0].ip, net, one, one.mac, state, state.code, id, id]
  }
}
resource "cloud_server" "c" {
  lifecycle {
    ignore_changes = [disk[0].path, disk[0].nope, id]
  }
}
resource "cloud_server" "d" {
  lifecycle {
    ignore_changes = [label[0].seen, disk.path, id]
  }
}
resource "cloud_server" "e" {
  name = 1 + []
  lifecycle {
    ignore_changes = [id, disk[0].path]
  }
}
resource "cloud_server" "f" {
  lifecycle {
    ignore_changes = [net[0].nope, net.mac, state.nope, old]
  }
}

variable "name" {
  description = "Name of the cluster"
  type        = string
}

variable "kubernetes_version" {
  type    = string
  default = null
}

variable "subnet_ids" {
  type    = list(string)
  default = []
}

variable "endpoint_public_access" {
  type    = bool
  default = true
}

variable "enabled_log_types" {
  type    = list(string)
  default = ["audit"]
}

variable "node_groups" {
  description = "Managed node groups by name"
  type = map(object({
    instance_types = optional(list(string), ["m6i.large"])
    min_size       = optional(number, 1)
    max_size       = optional(number, 3)
    labels         = optional(map(string), {})
  }))
  default = {}
}

variable "tags" {
  type    = map(string)
  default = {}
}

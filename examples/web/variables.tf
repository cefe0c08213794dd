variable "region" {
  type        = string
  description = "The AWS region that everything lives in."
  default     = "eu-west-1"
}

variable "environment" {
  type        = string
  description = "Part of every name, and a tag."

  validation {
    condition     = var.environment == "dev" || var.environment == "prod"
    error_message = "The environment is dev or prod."
  }
}

variable "instances" {
  type        = number
  description = "How many web servers there are."
  default     = 2
}

variable "allowed_cidrs" {
  type        = list(string)
  description = "Who may reach the web servers."
  default     = ["10.0.0.0/8"]
}

variable "extra_tags" {
  type        = map(string)
  description = "Tags beside our own."
  default     = {}
}

variable "alarm_token" {
  type        = string
  description = "What the alarm service knows us by."
  sensitive   = true
  default     = null
}

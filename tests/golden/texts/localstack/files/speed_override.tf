resource "aws_s3_bucket_server_side_encryption_configuration" "invoices" {
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_sqs_queue" "event" {
  sqs_managed_sse_enabled = false
}

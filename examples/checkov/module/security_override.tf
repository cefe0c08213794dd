# What the security team adds: the database is not public.

resource "aws_db_instance" "orders" {
  publicly_accessible = false
}

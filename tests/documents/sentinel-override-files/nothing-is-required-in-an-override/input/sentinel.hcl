import "static" "prices" {
  source = "./a.json"
  format = "json"
}

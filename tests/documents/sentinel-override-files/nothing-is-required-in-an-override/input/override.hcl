import "static" "prices" {
  source = "./b.json"
}

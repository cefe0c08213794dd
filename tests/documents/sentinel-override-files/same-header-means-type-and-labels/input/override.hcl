import "module" "sizes" {
  source = "./c.sentinel"
}

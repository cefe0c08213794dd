import "module" "scales" {
  source = "./a.sentinel"
}
import "module" "sizes" {
  source = "./b.sentinel"
}
param "sizes" {
  value = 1
}

fish = "carp"
plant = "reed"
banks = [
  "left",
  "right",
]
ponds = {
  north = "deep"
  south = "flat"
}

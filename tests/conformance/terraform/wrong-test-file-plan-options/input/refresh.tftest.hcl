run "r" {
 plan_options {
  mode = refresh-only
  refresh = null
 }
 plan_options {
  mode = refresh-only
  refresh = x
 }
 plan_options {
  mode = refresh-only
  refresh = "false"
 }
 plan_options {
  mode = refresh-only
  refresh = "true"
 }
 plan_options {
 }
}

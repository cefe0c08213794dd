mock "clock" {
}

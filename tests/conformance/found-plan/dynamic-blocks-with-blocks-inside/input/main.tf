resource "shelf_deep" "a" {
  dynamic "board" {
    for_each = sensitive(["oak"])
    content {
      text = "plank"
      pin {
        text = "plain"
      }
      pin {
        text = board.value
      }
    }
  }
}

resource "shelf_set" "two" {
  tag {
    text = "open"
  }
  tag {
    text = sensitive("secret")
  }
}

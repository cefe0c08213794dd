environment   = "dev"
allowed_cidrs = ["192.0.2.0/24"]

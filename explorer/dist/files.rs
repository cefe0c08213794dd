// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-ea798efc8d.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-ea798efc8d.js"),
    ),
    (
        "examples-171d116573.json",
        "application/json",
        include_bytes!("examples-171d116573.json"),
    ),
    (
        "icon-a2dafc68c9.svg",
        "image/svg+xml",
        include_bytes!("icon-a2dafc68c9.svg"),
    ),
    (
        "index.html",
        "text/html; charset=utf-8",
        include_bytes!("index.html"),
    ),
    (
        "style-f218cc09a4.css",
        "text/css; charset=utf-8",
        include_bytes!("style-f218cc09a4.css"),
    ),
    (
        "worker-1185361c20.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-1185361c20.js"),
    ),
]

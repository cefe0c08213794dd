// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-88502be859.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-88502be859.js"),
    ),
    (
        "examples-8536050955.json",
        "application/json",
        include_bytes!("examples-8536050955.json"),
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
        "style-1ea1577591.css",
        "text/css; charset=utf-8",
        include_bytes!("style-1ea1577591.css"),
    ),
    (
        "worker-61874baaa5.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-61874baaa5.js"),
    ),
]

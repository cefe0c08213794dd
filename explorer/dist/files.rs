// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-f1240acd3b.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-f1240acd3b.js"),
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
        "style-40f9a18d89.css",
        "text/css; charset=utf-8",
        include_bytes!("style-40f9a18d89.css"),
    ),
    (
        "worker-37bbe2a98e.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-37bbe2a98e.js"),
    ),
]

// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-8e0f2ee8c8.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-8e0f2ee8c8.js"),
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
        "style-cb8801f5df.css",
        "text/css; charset=utf-8",
        include_bytes!("style-cb8801f5df.css"),
    ),
    (
        "worker-37b9b6cd47.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-37b9b6cd47.js"),
    ),
]

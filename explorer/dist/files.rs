// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-3275da7328.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-3275da7328.js"),
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
        "style-4198fcc3b6.css",
        "text/css; charset=utf-8",
        include_bytes!("style-4198fcc3b6.css"),
    ),
    (
        "worker-9866e9c97d.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-9866e9c97d.js"),
    ),
]

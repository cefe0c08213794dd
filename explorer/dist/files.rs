// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-8e73fda27d.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-8e73fda27d.js"),
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
        "style-9ce1cfa5f8.css",
        "text/css; charset=utf-8",
        include_bytes!("style-9ce1cfa5f8.css"),
    ),
    (
        "worker-f15f61ac0b.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-f15f61ac0b.js"),
    ),
]

// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-0e40b9915c.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-0e40b9915c.js"),
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
        "style-cc03921f4b.css",
        "text/css; charset=utf-8",
        include_bytes!("style-cc03921f4b.css"),
    ),
    (
        "worker-9866e9c97d.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-9866e9c97d.js"),
    ),
]

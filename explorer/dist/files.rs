// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-5560860a3f.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-5560860a3f.js"),
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
        "style-fccbd4211e.css",
        "text/css; charset=utf-8",
        include_bytes!("style-fccbd4211e.css"),
    ),
    (
        "worker-732047eb73.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-732047eb73.js"),
    ),
]

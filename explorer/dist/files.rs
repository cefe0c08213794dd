// Written by explorer/build.mjs: name, media type and bytes of each file of the page.
&[
    (
        "app-d161404bbf.js",
        "text/javascript; charset=utf-8",
        include_bytes!("app-d161404bbf.js"),
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
        "style-77a8496744.css",
        "text/css; charset=utf-8",
        include_bytes!("style-77a8496744.css"),
    ),
    (
        "worker-732047eb73.js",
        "text/javascript; charset=utf-8",
        include_bytes!("worker-732047eb73.js"),
    ),
]

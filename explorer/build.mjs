// Builds the explorer into dist/: hashed files, the page, and files.rs, the list that the program embeds.
// `node build.mjs DIRECTORY` writes elsewhere, for the check that dist/ is fresh.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "..", "examples");
const out = process.argv[2] ?? join(here, "dist");

const TYPES = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
};

/** Names of files, each with its bytes. */
const files = new Map();

/** Notes a file under a name that changes with its bytes, and gives that name. */
function add(stem, ending, bytes) {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  const name = `${stem}-${digest}.${ending}`;
  files.set(name, bytes);
  return name;
}

async function bundle(entry, define) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    define,
  });
  return Buffer.from(result.outputFiles[0].contents);
}

/** The files below a folder, by their paths in it, in order. */
function folder(path, prefix = "") {
  const found = {};
  for (const name of readdirSync(path).sort()) {
    const full = join(path, name);
    if (statSync(full).isDirectory()) Object.assign(found, folder(full, `${prefix}${name}/`));
    else found[prefix + name] = readFileSync(full, "utf8");
  }
  return found;
}

function embeddedExamples() {
  const list = JSON.parse(readFileSync(join(examples, "explorer.json"), "utf8"));
  return list.map(({ folder: name, ...rest }) => ({ ...rest, name, files: folder(join(examples, name)) }));
}

/** The text of a section of a document of rules, and its heading. */
function section(document, number) {
  const text = readFileSync(join(here, "..", "docs", "rules", document), "utf8");
  const heading = new RegExp(`^(#+) ${number.replaceAll(".", "\\.")}\\.? (.+)$`, "m").exec(text);
  if (!heading) throw new Error(`${document} has no section ${number}`);
  const rest = text.slice(heading.index + heading[0].length);
  const end = new RegExp(`^#{1,${heading[1].length}} `, "m").exec(rest);
  return { heading: heading[2], text: (end ? rest.slice(0, end.index) : rest).trim() };
}

/** The lessons, each with the rule that it is about; without what is there for their test. */
function lessons() {
  const list = JSON.parse(readFileSync(join(here, "lessons.json"), "utf8"));
  return list.map(({ merged, rule, ...rest }) => ({ ...rest, rule: { ...rule, ...section(rule.document, rule.section) } }));
}

const icon = add("icon", "svg", readFileSync(join(here, "src", "icon.svg")));
const samples = add("examples", "json", Buffer.from(JSON.stringify({ examples: embeddedExamples(), lessons: lessons() })));
const worker = add("worker", "js", await bundle("src/worker.ts", {}));
const app = add("app", "js", await bundle("src/main.ts", {
  WORKER_FILE: JSON.stringify(worker),
  EXAMPLES_FILE: JSON.stringify(samples),
}));
const style = add("style", "css", await bundle("src/style.css", {}));

const page = readFileSync(join(here, "src", "index.html"), "utf8")
  .replaceAll("{{app}}", app)
  .replaceAll("{{worker}}", worker)
  .replaceAll("{{style}}", style)
  .replaceAll("{{examples}}", samples)
  .replaceAll("{{icon}}", icon);
files.set("index.html", Buffer.from(page));

const rows = [...files.keys()].sort().map((name) =>
  `    (\n        "${name}",\n        "${TYPES[name.split(".").pop()]}",\n        include_bytes!("${name}"),\n    ),\n`);
files.set("files.rs", Buffer.from(
  `// Written by explorer/build.mjs: name, media type and bytes of each file of the page.\n&[\n${rows.join("")}]\n`,
));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, bytes] of files) writeFileSync(join(out, name), bytes);

// Prints the native file named by the argument, converted by hcl2json itself (compiled to WebAssembly).
const { readFileSync } = require("node:fs");
const { parse } = require("@cdktf/hcl2json");

parse("main.tf", readFileSync(process.argv[2], "utf8")).then((document) => {
  process.stdout.write(JSON.stringify(document), () => process.exit(0));
});

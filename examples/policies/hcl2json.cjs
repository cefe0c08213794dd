// Prints the native file that the argument names as hcl2json converts it (its own code, compiled to WebAssembly).
const { readFileSync } = require("node:fs");
const { parse } = require("@cdktf/hcl2json");

parse("main.tf", readFileSync(process.argv[2], "utf8")).then((document) => {
  process.stdout.write(JSON.stringify(document), () => process.exit(0));
});

#!/usr/bin/env node
// Runs the program from the package for this platform, which npm has installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { isatty } = require("node:tty");

const { optionalDependencies } = require("./package.json");
const platform = `${process.platform}-${process.arch}`;
const name = Object.keys(optionalDependencies).find((name) => name.endsWith(`/${platform}`));
if (name === undefined) {
  console.error(`overfold: there is no package with the program for ${platform}`);
  process.exit(2);
}
let program;
try {
  program = require.resolve(`${name}/bin/overfold${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`overfold: the package ${name} is not installed; install overfold with its optional dependencies`);
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends SIGINT and SIGHUP to the program, too, which a second signal ends at once; a supervisor sends its signals to
// this process alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal === "SIGTERM" || !isatty(0)) {
      child.kill(signal);
    }
  });
}
child.on("error", (error) => {
  console.error(`overfold: ${program} cannot be run: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

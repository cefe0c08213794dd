"""Recorded inputs, spliced, cut and shuffled, over HTTP: no crash, no 500, nothing slow, valid JSON, same bytes
twice."""

import json
import os
import random
import time

from corpus import texts
from harness import CPU_SECONDS, Case, Failure, Server, expect

SECONDS = float(os.environ.get("MUTATION_SECONDS", "20"))
SEED = int(os.environ.get("MUTATION_SEED", "1"))

TOKENS = [
    '"', "${", "%{", "}", "{", "[", "]", "(", ")", "<<EOT\n", "EOT\n", "\n", "=", "...", "for", "in", "if", "?", ":",
    "=>", ".*", "[*]", ".", "null", "true", "1e999", "-", "!", "&&", "var.a", "each.value", "count.index", "dynamic",
    "content", "lifecycle", "override", "\\u", "\ufeff", "\0", "\u0301", "é", "//", "/*", "*/", "#",
    'variable "a" {\n', "}\n", "type = ", "optional(", "object({", "any", "validation {\n", "condition = ",
    "error_message = ", "sensitive = true", "try(", "can(", "jsondecode(", "yamldecode(", "regex(", "templatefile(",
    "moved {", "import {", "for_each = ", "provider = ", '"a" "b" {', "terraform {", "required_providers {", '"""',
    "$${", "%%{", "~}", "${~"]
CHARACTERS = [0, 9, 10, 13, 34, 36, 37, 92, 123, 125, 0x80, 0x2028, 0x1F600]
DIALECTS = ["terraform", "opentofu", "tflint", "sentinel", "terraform-0.11"]
NAMES = ["main.tf", "override.tf", "a_override.tf", "b.tf", "x.tf.json", "terraform.tfvars", "a.auto.tfvars",
         "terraform.tfvars.json", "main.tofu", "sentinel.hcl", "override.hcl", "v.tf", "m/x.tf", ".hidden.tf"]
PARTS = [["config"], ["config", "objects", "variables", "files"], ["objects", "variables"], ["files"]]


class Mutator:
    """Creates requests from a pool of texts."""

    def __init__(self, pool, seed):
        self.pool, self.chosen = pool, random.Random(seed)

    def mutated(self, text):
        """Returns the text after up to six changes."""
        chosen = self.chosen
        for _ in range(chosen.randint(0, 6)):
            at, kind = chosen.randrange(len(text) + 1), chosen.random()
            end = min(len(text), at + chosen.randint(1, 40))
            if kind < 0.35:
                text = text[:at] + chosen.choice(TOKENS) + text[at:]
            elif kind < 0.55:
                text = text[:at] + text[end:]
            elif kind < 0.7:
                text = text[:at] + text[at:end] * chosen.randint(2, 4) + text[end:]
            elif kind < 0.85:
                other = chosen.choice(self.pool)[1]
                start = chosen.randrange(len(other) + 1)
                text = text[:at] + other[start:start + chosen.randint(1, 200)] + text[at:]
            elif text:
                text = text[:at] + chr(chosen.choice([*CHARACTERS, chosen.randrange(32, 127)])) + text[at + 1:]
        return text

    def request(self):
        """Returns a request with up to four files."""
        chosen, files = self.chosen, {}
        for _ in range(chosen.randint(1, 4)):
            name, text = chosen.choice(self.pool)
            files[chosen.choice([*NAMES, name])] = self.mutated(text)
        dialect = chosen.choice(DIALECTS)
        options = {"dialect": dialect, "include": chosen.choice(PARTS)}
        if chosen.random() < 0.5 and dialect != "sentinel":
            value = chosen.choice([None, 1, "x", [1], {"a": [1]}])
            options["variables"] = {} if chosen.random() < 0.4 else {
                "env": {"TF_VAR_a": self.mutated("[1,2]")},
                "args": [{"var": self.mutated("a={b=1}")}, {"name": "a", "value": value}]}
        if dialect == "tflint" and chosen.random() < 0.5:
            options["expand"] = True
        return json.dumps({"files": files, **options}).encode("utf-8", "surrogatepass")


def mutate(measured):
    """Sends requests for the whole time; the first failure is the message."""
    mutator, count, slowest = Mutator(list(texts()), SEED), 0, 0.0
    expect(mutator.pool, "no recorded inputs")
    with Server() as server:
        began = time.monotonic()
        while time.monotonic() - began < SECONDS:
            body, before = mutator.request(), server.cpu()
            answer = server.post(body)
            count, slowest = count + 1, max(slowest, server.cpu() - before)
            try:
                answer.check(frozenset({200, 400, 413, 422}))
                expect(server.alive(), "the process ended")
                expect(server.cpu() - before <= CPU_SECONDS, f"{server.cpu() - before:.1f} CPU seconds")
                if count % 10 == 0:
                    expect(server.post(body).body == answer.body, "different bytes the second time")
            except Failure as failure:
                raise Failure(f"{failure}; request {count} of seed {SEED}: {body.decode()}") from None
        measured.seconds, measured.cpu = time.monotonic() - began, slowest
        measured.memory_mb, measured.note = server.peak_mb() - server.idle_mb, f"{count} requests"
        expect("panicked" not in server.log(), "a panic is in the log")


def cases():
    """One case."""
    yield Case(f"mutated requests, seed {SEED}", mutate)

"""Module directories for a test, each different from all others."""

import base64
import os
import random


def write(folder, count, large=0):
    """Writes `count` modules below a folder, of which the first `large` are larger than a message may be. Returns their
    paths."""
    paths = []
    for number in range(count):
        name = folder / f"repository-{number % 50}" / f"module-{number}"
        name.mkdir(parents=True)
        chance = random.Random(number)
        (name / "main.tf").write_text(main(number, chance))
        if number % 3:
            override = f'resource "terraform_data" "r0" {{\n  input = "replaced {number}"\n}}\n'
            (name / "main_override.tf").write_text(override)
        if number % 7 == 0:
            (name / "broken.tf").write_text('variable "a" {\n')
        if number % 11 == 0:
            (name / "outputs.tf").write_text('output "o" {\n  value = var.nmae\n}\n')
        if number < large:
            # Nothing compresses it.
            text = base64.b64encode(os.urandom(900_000)).decode()
            (name / "large.tf").write_text(f'locals {{\n  text = "{text}"\n}}\n')
        # Neither is to reach the queue.
        (name / "terraform.tfstate").write_text('{"secret": true}')
        paths.append(name)
    return paths


def main(number, chance):
    lines = ['variable "name" {', '  type    = string', f'  default = "module {number}"', "}"]
    for index in range(chance.randrange(1, 12)):
        lines += [
            f'resource "terraform_data" "r{index}" {{',
            f'  input = "${{var.name}} {chance.random()}"',
            f"  count = {chance.randrange(1, 4)}",
            "}",
        ]
    return "\n".join(lines) + "\n"


def files(path):
    """Returns the files of a module that are to be submitted, as a request to the service has them."""
    return {
        file.name: file.read_text() for file in sorted(path.iterdir()) if ".tfstate" not in file.name
    }

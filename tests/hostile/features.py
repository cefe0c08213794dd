"""Features of the language and options of requests, each at any size, and random combinations of them, for search.py.

A feature is a function of a `Piece` that writes text, files and options into it. What it writes must grow in proportion to
the piece's `count` and to the length of its names, and every expression in it costs about as much for each element
whatever the count: only then is growth that is faster a fault of the service.
"""

import json
import random

FEATURES = []
# Names of functions with one argument, for a call of each.
FUNCTIONS = ("upper", "length", "jsonencode", "yamlencode", "base64encode", "md5", "tostring", "trimspace", "strrev", "title",
             "chomp", "sha256", "urlencode", "nonsensitive", "sensitive", "tolist", "toset", "keys", "values", "flatten",
             "distinct", "compact", "sort", "reverse", "one", "sum", "csvdecode", "jsondecode", "yamldecode", "tonumber",
             "base64gzip", "bcrypt", "file", "fileset", "dirname", "abspath", "basename", "can", "ceil", "signum")
DIALECTS = ("terraform", "terraform", "terraform", "opentofu", "opentofu", "tflint", "terraform-0.11", "sentinel")
ROUTES = ("/v1/merge", "/v1/merge", "/v1/plan", "/v1/plan", "/v1/plan", "/v1/diff", "/v1/merge/report?format=",
          "/v1/plan/report?format=", "/v1/compatibility")
FORMATS = ("text", "sarif", "rdjson", "github-annotations", "gitlab-codequality", "junit", "github-commands")


def feature(function):
    """Makes a function one of the features."""
    FEATURES.append(function)
    return function


class Piece:
    """What one feature adds to a request."""

    def __init__(self, rng, tag, count, length):
        self.rng, self.tag, self.count, self.length = rng, tag, max(1, count), length
        self.text, self.files, self.body, self.given = [], {}, {}, []

    def name(self, at=0):
        """Returns a name of this piece."""
        own = f"{self.tag}_{at}_"
        return own + "n" * max(0, self.length - len(own))

    def few(self, most=64):
        """Returns a count for what is inside of another count."""
        return max(1, min(most, self.count))

    def add(self, text):
        self.text.append(text + "\n")

    def each(self, write, count=None):
        for at in range(self.count if count is None else count):
            self.add(write(at))

    def value(self):
        """Returns an expression that costs the same whatever the counts."""
        return self.rng.choice((
            '"x"', "1", "null", 'sensitive("s")', "terraform_data.unknown.id", "var.unset", "local.small[0]", "timestamp()",
            '"${terraform_data.unknown.id}-${local.small[1]}"', "[for s in local.small : upper(s)]", "{ a = 1, (local.small[0]) = 2 }",
            "local.nothing", "aws_thing.there.arn", "data.aws_thing.there.id", "module.nowhere.out", "each.key", "count.index", "self.id",
            "true ? local.small : [terraform_data.unknown.id]", 'try(local.small.x, "d")', "local.small[*]", "ephemeral.aws_thing.e.v"))


@feature
def variables(piece):
    kind = piece.rng.choice(("", "type = string", "type = any\n default = {}", "type = object({ a = optional(string, \"x\") })\n default = {}",
                             "sensitive = true\n default = 1", "nullable = false\n default = null", "ephemeral = true\n default = 1"))
    piece.each(lambda at: f'variable "{piece.name(at)}" {{\n {kind}\n}}')


@feature
def given_variables(piece):
    piece.each(lambda at: f'variable "{piece.name(at)}" {{\n}}')
    piece.given += [{"var": f"{piece.name(at)}=x"} if at % 2 else {"name": piece.name(at), "value": [at]} for at in range(piece.count)]


@feature
def undeclared_variables(piece):
    piece.given += [{"name": piece.name(at), "value": at} for at in range(piece.count)]


@feature
def definitions_file(piece):
    piece.files["terraform.tfvars"] = "".join(f'{piece.name(at)} = "x"\n' for at in range(piece.count))
    piece.each(lambda at: f'variable "{piece.name(at)}" {{\n}}', piece.few())


@feature
def rules(piece):
    condition = piece.rng.choice(("true", "false", "var.@ != 1", "1 / 0 > 1", '"maybe"', "can(var.@.x)"))
    message = piece.rng.choice(('"M."', '"The ${var.@}."', "var.@", "local.small[0]"))
    piece.each(lambda at: f'variable "{piece.name(at)}" {{\n default = 1\n validation {{\n condition = {condition}\n error_message = {message}\n }}\n}}'
               .replace("@", piece.name(at)))


@feature
def rules_of_one_variable(piece):
    one = piece.name()
    piece.add(f'variable "{one}" {{\n default = 1')
    piece.each(lambda at: f" validation {{\n condition = var.{one} == {at}\n error_message = \"M {at}.\"\n }}")
    piece.add("}")


@feature
def local_values(piece):
    value = piece.value()
    piece.add("locals {")
    piece.each(lambda at: f" {piece.name(at)} = {value}")
    piece.add("}")


@feature
def chain_of_locals(piece):
    piece.add("locals {")
    piece.add(f" {piece.name(0)} = {piece.value()}")
    piece.each(lambda at: f" {piece.name(at + 1)} = local.{piece.name(at)}")
    piece.add("}")


@feature
def cycle_of_locals(piece):
    piece.add("locals {")
    piece.each(lambda at: f" {piece.name(at)} = local.{piece.name((at + 1) % piece.count)}")
    piece.add("}")


@feature
def outputs(piece):
    value = piece.value()
    more = piece.rng.choice(("", "sensitive = true", "ephemeral = true", "depends_on = [terraform_data.unknown]",
                             'precondition {\n condition = false\n error_message = "M."\n }'))
    piece.each(lambda at: f'output "{piece.name(at)}" {{\n value = {value}\n {more}\n}}')


@feature
def resources(piece):
    kind, value = piece.rng.choice(("terraform_data", "aws_thing", "null_resource")), piece.value()
    piece.each(lambda at: f'resource "{kind}" "{piece.name(at)}" {{\n input = {value}\n}}')


@feature
def resources_of_many_types(piece):
    piece.each(lambda at: f'resource "{piece.tag}{at}_{piece.name(at)}" "x" {{\n a = 1\n}}')


@feature
def counted(piece):
    kind, value = piece.rng.choice(("terraform_data", "aws_thing")), piece.value()
    piece.add(f'resource "{kind}" "{piece.name()}" {{\n count = {piece.count}\n input = {value}\n}}')


@feature
def keyed(piece):
    kind = piece.rng.choice(("terraform_data", "aws_thing"))
    keys = ", ".join(f'"{piece.name(at)}"' for at in range(piece.count))
    piece.add(f'resource "{kind}" "{piece.tag}" {{\n for_each = toset([{keys}])\n input = {piece.rng.choice(("each.key", "each.value", piece.value()))}\n}}')


@feature
def keyed_by_format(piece):
    side = min(1024, piece.count)
    piece.add(f'resource "terraform_data" "{piece.tag}" {{\n for_each = {{ for i in range({side}) : format("{piece.name()}-%d", i) => i }}\n input = each.value\n}}')


@feature
def arguments(piece):
    value, kind = piece.value(), piece.rng.choice(("terraform_data", "aws_thing"))
    piece.add(f'resource "{kind}" "{piece.tag}" {{')
    piece.each(lambda at: f" {piece.name(at)} = {value}")
    piece.add("}")


@feature
def repeated_arguments(piece):
    piece.add(f'resource "aws_thing" "{piece.name()}" {{')
    piece.each(lambda at: f" a = {at}")
    piece.add("}")


@feature
def findings_in_a_long_name(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{\n input = [')
    piece.each(lambda at: f"  local.nowhere{at},")
    piece.add(" ]\n}")


@feature
def nested_blocks(piece):
    value = piece.value()
    piece.add(f'resource "aws_thing" "{piece.name()}" {{')
    piece.each(lambda at: f" {piece.tag}block {{\n a = {value}\n }}")
    piece.add("}")


@feature
def generated_blocks(piece):
    piece.add(f'resource "aws_thing" "{piece.name()}" {{\n dynamic "part" {{\n for_each = range({min(1024, piece.count)})\n content {{\n a = part.value\n }}\n }}\n}}')


@feature
def deep_blocks(piece):
    depth = piece.few(200)
    piece.add(f'resource "aws_thing" "{piece.name()}" {{\n' + "part {\n" * depth + "}\n" * depth + "}")


@feature
def lifecycles(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{\n lifecycle {{\n ignore_changes = [{", ".join(["input"] * piece.count)}]')
    piece.add(f' replace_triggered_by = [{", ".join(["terraform_data.unknown"] * piece.few())}]')
    piece.each(lambda at: ' precondition {\n condition = local.small[0] == "x"\n error_message = "M."\n }', piece.few())
    piece.add(" }\n}")


@feature
def counted_conditions(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{\n count = {piece.count}\n lifecycle {{\n postcondition {{\n condition = self.id == "x"\n error_message = "M."\n }}\n }}\n}}')


@feature
def provisioners(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{')
    piece.each(lambda at: ' provisioner "local-exec" {\n command = "true ${self.id}"\n }')
    piece.add("}")


@feature
def data_sources(piece):
    kind = piece.rng.choice(("aws_thing", "terraform_remote_state"))
    piece.each(lambda at: f'data "{kind}" "{piece.name(at)}" {{\n backend = "local"\n}}')


@feature
def counted_data(piece):
    piece.add(f'data "aws_thing" "{piece.name()}" {{\n count = {piece.count}\n}}\nresource "google_thing" "{piece.name()}" {{\n count = {piece.count}\n}}')


@feature
def calls(piece):
    piece.files["part/main.tf"] = 'variable "in" {\n default = 1\n}\noutput "out" {\n value = var.in\n}\nresource "terraform_data" "r" {\n}\n'
    value = piece.value()
    piece.each(lambda at: f'module "{piece.name(at)}" {{\n source = "./part"\n in = {value}\n}}')


@feature
def counted_calls(piece):
    piece.files["counted/main.tf"] = 'variable "in" {\n default = 1\n}\nresource "terraform_data" "r" {\n input = var.in\n}\ncheck "c" {\n assert {\n condition = var.in == 2\n error_message = "M."\n }\n}\n'
    piece.add(f'module "{piece.name()}" {{\n source = "./counted"\n count = {piece.count}\n in = count.index\n}}')


@feature
def chain_of_calls(piece):
    depth = piece.few(60)
    name = piece.name()
    for at in range(depth):
        inner = f'module "{name}" {{\n source = "../{piece.tag}{at + 1}"\n}}\n' if at + 1 < depth else (
            'resource "terraform_data" "r" {\n count = 50\n lifecycle {\n precondition {\n condition = true\n error_message = "M."\n }\n }\n}\n')
        piece.files[f"{piece.tag}{at}/main.tf"] = inner
    piece.add(f'module "{name}" {{\n source = "./{piece.tag}0"\n}}')


@feature
def calls_elsewhere(piece):
    version = ", ".join([">= 1.0"] * piece.few())
    piece.each(lambda at: f'module "{piece.name(at)}" {{\n source = "acme/part/x"\n version = "{version}"\n}}', piece.few(200))
    piece.body["module_sources"] = [{"source": "acme/part/x", "version": f"1.{at}.0", "path": "part"} for at in range(piece.count)]
    piece.files["part/main.tf"] = 'resource "terraform_data" "r" {\n}\n'


@feature
def missing_calls(piece):
    piece.each(lambda at: f'module "{piece.name(at)}" {{\n source = "{piece.rng.choice(("./nowhere", "acme/a/b", "git::https://x/y.git"))}"\n}}')


@feature
def installed(piece):
    piece.files[".terraform/modules/modules.json"] = json.dumps(
        {"Modules": [{"Key": piece.name(at), "Source": "acme/a/b", "Dir": "part"} for at in range(piece.count)]})
    piece.each(lambda at: f'module "{piece.name(at)}" {{\n source = "acme/a/b"\n}}', piece.few(200))


@feature
def moved(piece):
    piece.each(lambda at: f'moved {{\n from = terraform_data.{piece.name(at)}\n to = terraform_data.{piece.name(at + 1)}\n}}')


@feature
def moved_instances(piece):
    piece.files["instances/main.tf"] = 'resource "terraform_data" "r" {\n}\n'
    piece.add(f'module "{piece.tag}" {{\n source = "./instances"\n count = {piece.count}\n}}')
    piece.each(lambda at: f'moved {{\n from = terraform_data.old[{at}]\n to = module.{piece.tag}[{at}].terraform_data.r\n}}')


@feature
def removed(piece):
    piece.each(lambda at: f'removed {{\n from = aws_thing.{piece.name(at)}\n lifecycle {{\n destroy = false\n }}\n}}')


@feature
def imports(piece):
    piece.add(f'resource "terraform_data" "{piece.tag}" {{\n count = {piece.count}\n}}')
    piece.each(lambda at: f'import {{\n to = terraform_data.{piece.tag}[{at}]\n id = "{piece.name(at)}"\n}}')


@feature
def repeated_imports(piece):
    piece.add(f'resource "terraform_data" "{piece.tag}" {{\n for_each = toset([for i in range({min(1024, piece.count)}) : "{piece.name()}${{i}}"])\n}}')
    piece.add(f'import {{\n for_each = {{ for i in range({min(1024, piece.count)}) : "{piece.name()}${{i}}" => i }}\n to = terraform_data.{piece.tag}[each.key]\n id = each.value\n}}')


@feature
def checks(piece):
    condition = piece.rng.choice(("true", "false", "terraform_data.unknown.id == 1", "1 / 0 == 1", "data.aws_thing.c.x"))
    piece.each(lambda at: f'check "{piece.name(at)}" {{\n assert {{\n condition = {condition}\n error_message = "M."\n }}\n}}')


@feature
def providers(piece):
    piece.each(lambda at: f'provider "aws" {{\n alias = "{piece.name(at)}"\n region = {piece.value()}\n}}')


@feature
def used_providers(piece):
    piece.add(f'provider "aws" {{\n alias = "{piece.name()}"\n}}')
    piece.each(lambda at: f'resource "aws_thing" "{piece.tag}{at}" {{\n provider = aws.{piece.name()}\n}}')


@feature
def passed_providers(piece):
    aliases = [piece.name(at) for at in range(piece.count)]
    piece.files["passed/main.tf"] = ("terraform {\n required_providers {\n aws = {\n source = \"hashicorp/aws\"\n configuration_aliases = ["
                                     + ", ".join(f"aws.{one}" for one in aliases) + "]\n }\n }\n}\n")
    piece.add("".join(f'provider "aws" {{\n alias = "{one}"\n}}\n' for one in aliases) + f'module "{piece.tag}" {{\n source = "./passed"\n providers = {{\n'
              + "".join(f" aws.{one} = aws.{one}\n" for one in aliases) + "}\n}")


@feature
def required_providers(piece):
    piece.add("terraform {\n required_providers {")
    piece.each(lambda at: f' {piece.name(at)} = {{\n source = "acme/{piece.tag}{at}"\n version = ">= 1.0, < 2.0"\n }}')
    piece.add(" }\n}")


@feature
def ephemerals(piece):
    piece.each(lambda at: f'ephemeral "aws_thing" "{piece.name(at)}" {{\n a = 1\n}}')


@feature
def settings(piece):
    piece.each(lambda at: f'terraform {{\n required_version = ">= 1.{at % 9}"\n backend "local" {{\n path = "{piece.name(at)}"\n }}\n}}')


@feature
def overrides(piece):
    name = piece.name()
    piece.add(f'resource "aws_thing" "{name}" {{\n a = 1\n part {{\n }}\n}}')
    for at in range(piece.few(400)):
        piece.files[f"{piece.tag}{at}_override.tf"] = f'resource "aws_thing" "{name}" {{\n a = {at}\n b{at} = 1\n part {{\n }}\n}}\n'


@feature
def override_of_many(piece):
    piece.each(lambda at: f'resource "aws_thing" "{piece.name(at)}" {{\n a = 1\n}}')
    piece.files[f"{piece.tag}_override.tf"] = "".join(
        f'resource "aws_thing" "{piece.name(at)}" {{\n a = 2\n}}\n' for at in range(piece.count))


@feature
def override_without_base(piece):
    piece.files[f"{piece.tag}_override.tf"] = "".join(
        f'resource "aws_thing" "{piece.name(at)}" {{\n a = 2\n}}\n' for at in range(piece.count))


@feature
def json_resources(piece):
    piece.files[f"{piece.tag}.tf.json"] = json.dumps(
        {"resource": {"aws_thing": {piece.name(at): {"a": "${local.small[0]}", "part": [{"b": at}]} for at in range(piece.count)}}})


@feature
def json_outputs(piece):
    piece.files[f"{piece.tag}.tf.json"] = json.dumps(
        {"output": {piece.name(at): {"value": "${" + piece.value() + "}"} for at in range(piece.count)},
         "variable": {piece.name(at): {"type": "string"} for at in range(piece.count)}})


@feature
def json_imports(piece):
    piece.files[f"{piece.tag}.tf.json"] = json.dumps(
        {"import": [{"to": f"terraform_data.{piece.name(at)}", "id": "x"} for at in range(piece.count)],
         "moved": [{"from": f"terraform_data.{piece.name(at)}", "to": f"terraform_data.{piece.name(at + 1)}"} for at in range(piece.count)]})


@feature
def function_calls(piece):
    function, value = piece.rng.choice(FUNCTIONS), piece.value()
    piece.add("locals {")
    piece.each(lambda at: f" {piece.name(at)} = {function}({value})")
    piece.add("}")


@feature
def function_of_long_text(piece):
    function = piece.rng.choice(FUNCTIONS)
    piece.add(f'output "{piece.tag}" {{\n value = {function}("{piece.rng.choice(("a", "a,", "a: b ", "é", chr(0x1F469) + chr(0x200D)))  * piece.count}")\n}}')


@feature
def function_of_long_list(piece):
    function = piece.rng.choice(FUNCTIONS)
    piece.add(f'output "{piece.tag}" {{\n value = {function}([{", ".join(chr(34) + piece.name(at) + chr(34) for at in range(piece.count))}])\n}}')


@feature
def loops(piece):
    piece.add(f'output "{piece.tag}" {{\n value = [for i in range({min(1024, piece.count)}) : {piece.value()}]\n}}')
    piece.add(f'output "{piece.tag}o" {{\n value = {{ for i in range({min(1024, piece.count)}) : "{piece.name()}${{i}}" => i... }}\n}}')


@feature
def long_expression(piece):
    piece.add(f'output "{piece.tag}" {{\n value = {piece.rng.choice((" + ", " && ", " == ", " || ")).join(["1"] * piece.count)}\n}}')


@feature
def long_template(piece):
    piece.add(f'output "{piece.tag}" {{\n value = "{"${local.small[0]}x" * piece.count}"\n}}')


@feature
def heredoc(piece):
    piece.add(f'output "{piece.tag}" {{\n value = <<-EOT\n' + "  %{ if true }\n  x ${local.small[0]}\n  %{ endif }\n" * piece.count + "  EOT\n}")


@feature
def deep_expression(piece):
    depth = piece.few(150)
    opening, closing = piece.rng.choice((("[", "]"), ("(", ")"), ("{ a = ", " }"), ("upper(", ")"), ("!", ""), ("true ? 1 : ", "")))
    piece.add(f'output "{piece.tag}" {{\n value = {opening * depth}1{closing * depth}\n}}')


@feature
def long_traversal(piece):
    piece.add(f'output "{piece.tag}" {{\n value = terraform_data.unknown' + "".join(f".{piece.name(at)}" for at in range(piece.count)) + "\n}")


@feature
def references(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{\n}}\noutput "{piece.tag}" {{\n value = [' +
              ", ".join([f"terraform_data.{piece.name()}.id"] * piece.count) + "]\n}")


@feature
def dependencies(piece):
    piece.add(f'resource "terraform_data" "{piece.name()}" {{\n depends_on = [{", ".join(["terraform_data.unknown"] * piece.count)}]\n}}')


@feature
def long_type(piece):
    piece.add(f'variable "{piece.tag}" {{\n type = object({{' + ", ".join(f"{piece.name(at)} = optional(string)" for at in range(piece.count)) + "})\n default = {}\n}")


@feature
def assumptions(piece):
    piece.add(f'resource "aws_thing" "{piece.tag}" {{\n count = {piece.few(40)}')
    piece.each(lambda at: f" {piece.name(at)} = {at}")
    piece.add("}")
    piece.body["assume"] = {f"aws_thing.{piece.tag}": {piece.name(at): at + 1 for at in range(piece.count)}}


@feature
def assumed_addresses(piece):
    piece.body["assume"] = {f"aws_thing.{piece.name(at)}": {"id": "x"} for at in range(piece.count)}
    piece.each(lambda at: f'resource "aws_thing" "{piece.name(at)}" {{\n}}')


@feature
def severities(piece):
    piece.body["severities"] = {"override/*": "warning", "load/*": "off", "reference/*": "info"}


@feature
def syntax_errors(piece):
    piece.each(lambda at: piece.rng.choice(("x = = 1", "resource {", '"', "}", "a b c", "locals { a = } ", f"{piece.name(at)}")))


@feature
def test_files(piece):
    piece.files["a.tftest.hcl"] = "".join(f'run "{piece.name(at)}" {{\n command = plan\n}}\n' for at in range(piece.count))


@feature
def many_files(piece):
    for at in range(piece.few(500)):
        piece.files[f"{piece.tag}{at}.tf"] = f'locals {{\n {piece.tag}{at} = 1\n}}\n'


@feature
def directories(piece):
    for at in range(piece.few(300)):
        # In small circles: each directory is also the root of the tree below it.
        piece.files[f"{piece.tag}/{at}/main.tf"] = f'module "up" {{\n source = "../{at - at % 5 + (at + 1) % 5}"\n}}\n'
    piece.body["recursive"] = True


@feature
def lock_file(piece):
    piece.files[".terraform.lock.hcl"] = "".join(
        f'provider "registry.terraform.io/acme/{piece.tag}{at}" {{\n version = "1.0.0"\n hashes = ["h1:x"]\n}}\n' for at in range(piece.count))


@feature
def schemas(piece):
    attribute = {"type": "string", "optional": True, "sensitive": piece.rng.random() < 0.5}
    piece.body["provider_schemas"] = {"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {
        "provider": {"version": 0, "block": {}}, "resource_schemas": {
            name: {"version": 0, "block": {"attributes": {f"{piece.tag}{at}": attribute for at in range(piece.few(500))}}}
            for name in ("aws_thing", *(f"aws_{piece.tag}{at}" for at in range(piece.few(100))))}}}}
    piece.add(f'resource "aws_thing" "{piece.tag}" {{\n' + "".join(f" {piece.tag}{at} = {at}\n" for at in range(piece.few(500))) + "}")


COMMON = ('locals {\n small = ["x", "y"]\n}\nresource "terraform_data" "unknown" {\n input = 1\n}\nvariable "unset" {\n}\n'
          'resource "aws_thing" "there" {\n}\ndata "aws_thing" "there" {\n}\n')


class Request:
    """A request: a path and a body that is JSON."""

    def __init__(self, path, body):
        self.path, self.body = path, body


class Combination:
    """A random combination of features, by its seed."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed, self.dialect, self.path = seed, rng.choice(DIALECTS), rng.choice(ROUTES)
        if self.path.endswith("format="):
            self.path += rng.choice(FORMATS)
        if "plan" in self.path or "compatibility" in self.path:
            self.dialect = "terraform" if self.dialect != "opentofu" else "opentofu"
        chosen = rng.sample(FEATURES, rng.choice((1, 1, 2, 2, 2, 3, 4)))
        self.grows = rng.choice(("count", "count", "count", "length"))
        self.parts = []
        for one in chosen:
            length = rng.choice((1, 1, 1, 40, 1000, 4000, 12000, 50000))
            if self.grows == "length":
                length = rng.choice((500, 3000, 20000, 300000))
            # So much text at the first size at most, whatever is repeated.
            most = max(1, 400_000 // (length + 60))
            count = max(1, min(most, int(10 ** rng.uniform(0.3, 4.3))))
            self.parts.append((one, rng.getrandbits(32), count, length))
        self.options = {}
        if rng.random() < 0.4:
            self.options["include"] = rng.choice((["config", "objects", "variables", "files", "overrides"], ["objects"], ["overrides"]))
        if rng.random() < 0.3:
            self.options["config_format"] = rng.choice(("tf-json", "hcl2json", "hcl", "files"))
        if rng.random() < 0.3:
            self.options["reveal_sensitive"] = True
        self.resolve, self.unset = rng.random() < 0.3, rng.choice(("error", "unknown", "unknown"))
        self.stage = rng.choice(("load", "validate", "validate"))

    def __str__(self):
        parts = ", ".join(f"{one.__name__} {count}x{length}" for one, _, count, length in self.parts)
        return f"{self.path} {self.dialect} grows by {self.grows}{' resolved' if self.resolve else ''}: {parts}"

    def request(self, factor):
        """Returns the request at a size."""
        files, body, given = {"main.tf": [COMMON]}, {}, []
        for at, (one, seed, count, length) in enumerate(self.parts):
            grown = (count * factor, length) if self.grows == "count" else (count, length * factor)
            piece = Piece(random.Random(seed), f"f{at}", *grown)
            one(piece)
            files["main.tf"] += piece.text
            for path, text in piece.files.items():
                files.setdefault(path, []).append(text)
            body |= piece.body
            given += piece.given
        files = {path: "".join(text) for path, text in files.items()}
        own = {"files": files, "dialect": self.dialect}
        is_terraform = self.dialect in ("terraform", "opentofu")
        route = self.path.partition("?")[0].split("/")[2]
        if is_terraform and route in ("merge", "diff"):
            own["stage"] = self.stage
        for name in ("provider_schemas", "severities", "recursive"):
            if name in body and (name != "provider_schemas" or is_terraform) and route in ("merge", "plan"):
                own[name] = body[name]
        if route == "plan":
            own |= {"variables": {"args": given}, "unset_variables": self.unset, "include": ["plan", "instances"]}
            own |= {name: body[name] for name in ("assume", "module_sources") if name in body}
            if "reveal_sensitive" in self.options:
                own["reveal_sensitive"] = True
        elif given or self.resolve:
            own["variables"] = {"args": given}
        if route == "merge":
            own |= self.options
            if self.resolve and is_terraform:
                own |= {"resolve": True}
                own |= {name: body[name] for name in ("module_sources",) if name in body}
        if "report" in self.path:
            own.pop("include", None)
            own.pop("config_format", None)
        if own.get("dialect") == "tflint":
            own.pop("resolve", None)
        if route == "diff":
            changed = {path: text.replace("= 1\n", "= 2\n") for path, text in files.items()}
            return Request(self.path, {"before": own, "after": own | {"files": changed}})
        return Request(self.path, own)

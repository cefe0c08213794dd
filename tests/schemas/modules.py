"""Modules under invented schemas, made by dice: resources and data sources whose arguments refer to each other, and a module that
is called. Most are valid, since a plan says more than an error."""

import json

from schemas import PREFIX, TYPES, may_be_blocks

TEXTS = ["a", "b", "x-1", "", "10", "true", "1.5", "Zoë", "a b", "-0", "01", "a\nb", "q\"q", "<&>", "日本"]
NUMBERS = [0, 1, 2, 10, -1, 3.5, 8080, 100000000000000000000]
# What an element of a list that repeats a block has.
ITEM = ["object", {"a": "string", "b": "number"}]
LABELS = ["k0", "k1", "a b", "ü"]


def quoted(text):
    return json.dumps(text, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")


def constraint(kind):
    if isinstance(kind, str):
        return "any" if kind == "dynamic" else kind
    if kind[0] == "object":
        return "object({ " + ", ".join(f"{name} = {constraint(part)}" for name, part in kind[1].items()) + " })"
    if kind[0] == "tuple":
        return "tuple([" + ", ".join(map(constraint, kind[1])) + "])"
    return f"{kind[0]}({constraint(kind[1])})"


def fits(have, want):
    """Whether a value of one type converts to another, whatever it is."""
    if have == want or want == "dynamic" or (want == "string" and have in ["number", "bool"]):
        return True
    if isinstance(have, str) or isinstance(want, str) or have[0] in ["object", "tuple"]:
        return False
    alike = [{"list", "set"}, {"map"}]
    return any(have[0] in kinds and want[0] in kinds for kinds in alike) and fits(have[1], want[1])


def block(head, lines):
    inner = "".join(f"  {line}\n" for text in lines for line in text.split("\n"))
    return f"{head} {{\n{inner}}}" if lines else f"{head} {{\n}}"


class Module:
    """`known` has what an expression may refer to, as texts with types."""

    def __init__(self, dice, document, is_root):
        self.dice, self.document, self.is_root = dice, document, is_root
        self.known, self.blocks, self.objects, self.inputs, self.outputs = [], [], [], {}, {}
        self.names = 0
        self.native_overrides, self.json_overrides = [], {}
        self.aliases = [name for name in TYPES if is_root and self.chance(0.25)]

    def chance(self, share):
        return self.dice.random() < share

    def one(self, *makers):
        return self.dice.choice(makers)()

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # ---- expressions: each gets a type, what else is in scope here, and how deep it is

    def literal(self, kind):
        if kind == "string":
            return quoted(self.dice.choice(TEXTS)) if self.chance(0.85) else self.dice.choice(["1", "2.5", "true"])
        if kind == "number":
            return str(self.dice.choice(NUMBERS)) if self.chance(0.85) else self.dice.choice(['"1"', '"2.50"', '"-3"'])
        if kind == "bool":
            return self.dice.choice(["true", "false", "true", "false", '"true"'])
        if kind == "dynamic":
            return self.literal(self.dice.choice(["string", "number", ["tuple", ["string", "bool"]], ITEM]))
        if kind[0] in ["list", "set"]:
            return "[" + ", ".join(self.literal_or_null(kind[1]) for _ in range(self.dice.choice([0, 1, 1, 2, 3]))) + "]"
        if kind[0] == "map":
            names = self.dice.sample(["k1", "k2", "a", "key three", "0"], self.dice.choice([0, 1, 2, 2]))
            return self.braces({name: self.literal_or_null(kind[1]) for name in names})
        if kind[0] == "tuple":
            return "[" + ", ".join(map(self.literal, kind[1])) + "]"
        extra = {"extra": '"dropped"'} if self.chance(0.1) else {}
        return self.braces({name: self.literal_or_null(part) for name, part in kind[1].items()} | extra)

    def literal_or_null(self, kind):
        return "null" if self.chance(0.04) else self.literal(kind)

    def braces(self, members):
        return "{ " + ", ".join(f"{quoted(name)} = {value}" for name, value in members.items()) + " }" if members else "{}"

    def expression(self, kind, scope=(), depth=0):
        near = [text for text, have in scope if fits(have, kind)]
        if near and self.chance(0.5):
            return self.dice.choice(near)
        at = self.dice.random()
        if depth > 2 or at < 0.36:
            return self.literal(kind)
        if at < 0.39:
            return "null"
        if at < 0.52:
            return self.variable(kind)
        if at < 0.56:
            return self.local(kind)
        if at < 0.76:
            far = [text for text, have in self.known if fits(have, kind)]
            if far:
                return self.dice.choice(far)
        if at < 0.80:
            both = [self.expression(kind, scope, depth + 1) for _ in range(2)]
            return f"({self.condition(scope, depth + 1)} ? {both[0]} : {both[1]})" if isinstance(kind, str) else both[0]
        if at < 0.82:
            return f"try({self.expression(kind, scope, depth + 1)}, {self.literal(kind)})"
        if at < 0.84:
            return f"sensitive({self.solid(kind, scope, depth + 1)})"
        return self.made(kind, scope, depth + 1)

    def solid(self, kind, scope, depth):
        """An expression that is not `null` itself: functions refuse that."""
        found = self.expression(kind, scope, depth)
        return self.literal(kind) if found == "null" else found

    def condition(self, scope, depth):
        text = lambda: self.expression("string", scope, depth)
        return self.one(lambda: "true", lambda: "false", lambda: f"{text()} == {text()}", lambda: f"{text()} != null",
                        lambda: f"can({text()})", lambda: f'contains({self.solid(["list", "string"], scope, depth)}, "a")')

    def made(self, kind, scope, depth):
        """An expression that makes its value of others."""
        part = lambda wanted: self.solid(wanted, scope, depth)
        parts = lambda wanted: ", ".join(part(wanted) for _ in range(self.dice.randint(0, 3)))
        texts, words = ["list", "string"], ["map", "string"]
        if kind == "dynamic":
            return self.expression(self.dice.choice(["string", texts, words, ["set", "string"], ITEM]), scope, depth)
        if kind == "string":
            return self.one(lambda: f'"p-${{{part("string")}}}-s"', lambda: f"upper({part('string')})", lambda: f'join(",", {part(texts)})',
                            lambda: f"jsonencode({part('dynamic')})", lambda: f'coalesce({part("string")}, "z")', lambda: f"tostring({part('number')})",
                            lambda: f'lookup({part(words)}, "k1", "none")', lambda: f"sha1({part('string')})", lambda: "terraform.workspace",
                            lambda: f'"%{{ if {self.condition(scope, depth)} }}yes%{{ else }}no%{{ endif }}"')
        if kind == "number":
            return self.one(lambda: f"length({part(texts)})", lambda: f"({part('number')} + 1)", lambda: f"max({part('number')}, 2)",
                            lambda: "(1 / 3)", lambda: f"length({part(words)})")
        if kind == "bool":
            return self.one(lambda: f"!{part('bool')}", lambda: self.condition(scope, depth))
        if kind[0] == "list":
            return self.one(lambda: f"[{parts(kind[1])}]", lambda: f"[for v in {part(kind)} : v]", lambda: f"concat({part(kind)}, {part(kind)})",
                            lambda: f"tolist({part(kind)})", lambda: f"values({part(['map', kind[1]])})", lambda: f"reverse({part(kind)})")
        if kind[0] == "set":
            return self.one(lambda: f"toset({part(['list', kind[1]])})", lambda: f"[{parts(kind[1])}]", lambda: f"setunion({part(kind)}, {part(kind)})")
        if kind[0] == "map":
            return self.one(lambda: self.braces({name: part(kind[1]) for name in self.dice.sample(["k1", "k2", "a"], 2)}), lambda: f"tomap({part(kind)})",
                            lambda: f"merge({part(kind)}, {part(kind)})", lambda: f"{{ for k, v in {part(kind)} : upper(k) => v if v != null }}")
        if kind[0] == "object":
            return self.braces({name: self.expression(inner, scope, depth) for name, inner in kind[1].items()})
        return "[" + ", ".join(self.expression(inner, scope, depth) for inner in kind[1]) + "]"

    def variable(self, kind):
        name = self.fresh("v")
        lines = [f"type = {constraint(kind)}"] if self.chance(0.8) else []
        lines += ["sensitive = true"] if self.chance(0.12) else []
        if self.is_root or self.chance(0.6):
            lines.append(f"default = {self.literal(kind)}")
        else:
            self.inputs[name] = kind
        self.blocks.append(block(f'variable "{name}"', lines))
        return f"var.{name}"

    def local(self, kind):
        name = self.fresh("l")
        self.blocks.append(block("locals", [f"{name} = {self.expression(kind, depth=1)}"]))
        return f"local.{name}"

    # ---- what a schema asks for

    def body(self, schema, scope):
        lines = []
        for name, attribute in schema.get("attributes", {}).items():
            only_computed = attribute.get("computed") and not attribute.get("optional")
            if only_computed or (not attribute.get("required") and self.chance(0.45)):
                continue
            if "nested_type" in attribute:
                lines.append(f"{name} = {self.nested(attribute['nested_type'], scope)}")
            elif may_be_blocks(attribute["type"]) and "nested_type" not in str(schema) and self.chance(0.75):
                lines += [self.object_block(name, attribute["type"][1][1], scope) for _ in range(self.dice.randint(1, 3))]
            else:
                value = self.expression(attribute["type"], scope)
                lines.append(f"{name} = {self.literal(attribute['type']) if attribute.get('required') and value == 'null' else value}")
        for name, inner in schema.get("block_types", {}).items():
            lines += self.inner_blocks(name, inner, scope)
        if self.chance(0.3):
            self.dice.shuffle(lines)
        return lines

    def inner_blocks(self, name, kind, scope):
        mode, least = kind["nesting_mode"], kind.get("min_items", 0)
        if mode in ["list", "set"]:
            count = self.dice.randint(max(least, int(self.chance(0.5))), kind.get("max_items", 3))
        else:
            count = self.dice.randint(0, 2) if mode == "map" else int(least or self.chance(0.6))
        for at in range(count):
            # How many a dynamic block makes is only known where the schema sets no bound.
            if self.chance(0.25) and not least and "max_items" not in kind:
                yield self.dynamic(name, mode, kind["block"], scope)
                continue
            label = f" {quoted(LABELS[at] if self.chance(0.8) else LABELS[at + 2])}" if mode == "map" else ""
            made = block(name + label, self.body(kind["block"], scope))
            yield made
            if mode == "set" and "max_items" not in kind and self.chance(0.15):
                yield made

    def source(self, name):
        """What a dynamic block goes over, and what is in scope inside of it."""
        plain = [(f"{name}.value", "string"), (f"{name}.key", "string")]
        objects = [(f"{name}.value.a", "string"), (f"{name}.value.b", "number"), (f"{name}.value", ITEM)]
        kind, scope = self.dice.choice([(["list", "string"], plain), (["map", "string"], plain), (["set", "string"], plain), (["list", ITEM], objects)])
        return self.solid(kind, (), 1), scope

    def dynamic(self, name, mode, schema, scope):
        iterator = "each_one" if self.chance(0.15) else name
        over, inner = self.source(iterator)
        labels = []
        if mode == "map":
            over, inner = self.literal(["map", "string"]), [(f"{iterator}.value", "string"), (f"{iterator}.key", "string")]
            labels = [f"labels = [{iterator}.key]"]
        elif mode in ["single", "group"]:
            over, inner = self.dice.choice(["[1]", "[]", f"{self.condition(scope, 2)} ? [1] : []"]), []
        lines = [f"for_each = {over}", *([f"iterator = {iterator}"] if iterator != name else []), *labels]
        return block(f'dynamic "{name}"', [*lines, block("content", self.body(schema, [*scope, *inner]))])

    def object_block(self, name, parts, scope):
        """An object of a list or set, in block syntax."""
        plain = [part for part in parts if part != "inner"]
        if self.chance(0.2):
            over, inner = self.source(name)
            if name == "inner" and self.chance(0.8):
                # Most references are errors there, unless something else in the body refers to the same.
                over, inner = self.literal(["list", "string"]), []
            lines = [f"{part} = {self.expression(parts[part], [*scope, *inner])}" for part in plain]
            return block(f'dynamic "{name}"', [f"for_each = {over}", block("content", lines)])
        lines = [f"{part} = {self.expression(parts[part], scope)}" for part in plain if self.chance(0.8)]
        if "inner" in parts:
            lines += [self.object_block("inner", parts["inner"][1][1], scope) for _ in range(self.dice.randint(1, 2))]
        return block(name, lines)

    # ---- override files in JSON syntax, where only the schema says what a property is

    def json_body(self, schema):
        body = {}
        for name, attribute in schema.get("attributes", {}).items():
            if "type" in attribute and (attribute.get("optional") or attribute.get("required")) and self.chance(0.3):
                body[name] = self.json_value(attribute["type"])
        for name, inner in schema.get("block_types", {}).items():
            if self.chance(0.5):
                body[name] = self.json_blocks(inner)
        return body

    def json_blocks(self, kind):
        one = lambda: self.json_body(kind["block"])
        if kind["nesting_mode"] == "map":
            label = self.dice.choice(LABELS)
            return self.one(lambda: {label: one()}, lambda: {label: one()}, lambda: [{label: one()}], lambda: {label: []}, lambda: [], lambda: None)
        if kind["nesting_mode"] in ["single", "group"]:
            return self.one(one, one, lambda: [one()], lambda: [], lambda: None)
        return self.one(one, lambda: [one(), one()], lambda: [None, one()], lambda: [[one()]], lambda: [], lambda: None)

    def json_value(self, kind):
        if self.chance(0.08):
            return None
        if isinstance(kind, str):
            return self.dice.choice({"number": NUMBERS, "bool": [True, False]}.get(kind, TEXTS))
        if kind[0] in ["list", "set"]:
            return [self.json_value(kind[1]) for _ in range(self.dice.randint(0, 2))]
        if kind[0] == "map":
            return {name: self.json_value(kind[1]) for name in self.dice.sample(["a", "k1"], self.dice.randint(0, 2))}
        if kind[0] == "tuple":
            return [self.json_value(part) for part in kind[1]]
        return {name: self.json_value(part) for name, part in kind[1].items() if self.chance(0.9)}

    def nested(self, kind, scope):
        mode = kind["nesting_mode"]
        one = lambda: self.braces(self.nested_members(kind["attributes"], scope))
        if mode == "single":
            return one()
        if mode == "map":
            return self.braces({name: one() for name in self.dice.sample(LABELS, self.dice.randint(0, 2))})
        if self.chance(0.15):
            return f"[for v in {self.solid(['list', 'string'], scope, 1)} : {one()}]"
        return "[" + ", ".join(one() for _ in range(self.dice.randint(0, 3))) + "]"

    def nested_members(self, attributes, scope):
        members = {}
        for name, attribute in attributes.items():
            if attribute.get("computed") and not attribute.get("optional"):
                continue
            if not attribute.get("required") and self.chance(0.4):
                continue
            nested = attribute.get("nested_type")
            value = self.nested(nested, scope) if nested else self.expression(attribute["type"], scope)
            members[name] = self.literal(attribute["type"]) if attribute.get("required") and value == "null" else value
        return members

    # ---- objects

    def repetition(self, address):
        """How often something is made, what is in scope inside of it, and how an instance is addressed ("" if none is)."""
        at = self.dice.random()
        if at < 0.18:
            count = self.dice.choice([0, 1, 1, 2])
            return [f"count = {count}"], [("count.index", "number"), ('"n-${count.index}"', "string")], f"{address}[0]" if count else ""
        if at < 0.28:
            over = self.dice.choice(['toset(["a", "b"])', 'toset(["a", "aa", "10", "9"])', '{ a = "1", b = "2" }'])
            return [f"for_each = {over}"], [("each.key", "string"), ("each.value", "string")], f'{address}["a"]'
        if at < 0.36:
            over = '{ a = { s = "x", n = 1, l = ["p"] }, b = { s = "y", n = 2, l = [] } }'
            scope = [("each.key", "string"), ("each.value.s", "string"), ("each.value.n", "number"), ("each.value.l", ["list", "string"])]
            return [f"for_each = {over}"], scope, f'{address}["a"]'
        return [], [], address

    def object(self):
        provider = self.dice.choice(list(TYPES))
        kind, mode = self.dice.choice(TYPES[provider]), "resource" if self.chance(0.7) else "data"
        part = "resource_schemas" if mode == "resource" else "data_source_schemas"
        schema = self.document["provider_schemas"][PREFIX + provider][part][kind]["block"]
        name = self.fresh("r")
        address = f"{kind}.{name}" if mode == "resource" else f"data.{kind}.{name}"
        lines, scope, instance = self.repetition(address)
        lines += self.body(schema, scope)
        if provider in self.aliases and self.chance(0.4):
            lines.append(f"provider = {provider}.other")
        if self.objects and self.chance(0.1):
            lines.append(f"depends_on = [{self.dice.choice(self.objects)}]")
        if mode == "resource" and self.chance(0.15):
            ignored = self.dice.choice(["all", f"[{self.dice.choice(list(schema['attributes']))}]"])
            lines.append(block("lifecycle", [self.dice.choice(["create_before_destroy = true", f"ignore_changes = {ignored}"])]))
        self.blocks.append(block(f'{mode} "{kind}" "{name}"', lines))
        if self.chance(0.12):
            self.json_overrides.setdefault(mode, {}).setdefault(kind, {})[name] = self.json_body(schema)
        if self.chance(0.06):
            over = self.body(schema, scope)
            self.native_overrides.append(block(f'{mode} "{kind}" "{name}"', self.dice.sample(over, self.dice.randint(0, len(over)))))
        self.objects.append(address)
        for attribute, about in schema["attributes"].items():
            if instance and "type" in about and not about.get("write_only"):
                self.known.append((f"{instance}.{attribute}", about["type"]))
                if instance.endswith("[0]"):
                    self.known.append((f"{address}[*].{attribute}", ["list", about["type"]]))
                elif instance != address:
                    self.known.append((f"{{ for k, v in {address} : k => v.{attribute} }}", ["map", about["type"]]))

    def call(self, path, called):
        name = self.fresh("m")
        lines, scope, instance = self.repetition(f"module.{name}")
        lines += [f"{variable} = {self.solid(kind, scope, 0)}" for variable, kind in called.inputs.items()]
        self.blocks.append(block(f'module "{name}"', [f'source = "./{path}"', *lines]))
        self.objects.append(f"module.{name}")
        self.known += [(f"{instance}.{output}", kind) for output, kind in called.outputs.items() if instance]

    def fill(self, called=None):
        for name in self.aliases:
            self.blocks.append(block(f'provider "{name}"', ["endpoint = \"e\""]))
            self.blocks.append(block(f'provider "{name}"', ['alias = "other"']))
        for _ in range(self.dice.randint(2, 6) if self.is_root else self.dice.randint(1, 3)):
            self.object()
            if called and self.chance(0.4):
                self.call("called", called)
        for at in range(self.dice.randint(1, 4)):
            text, kind = self.dice.choice(self.known) if self.known and self.chance(0.7) else (self.expression("string"), "string")
            # Most are marked: one that is not, of something sensitive, is an error.
            lines = [f"value = {text}", *(["sensitive = true"] if self.chance(0.9 if self.is_root else 0.25) else [])]
            self.blocks.append(block(f'output "o{at}"', lines))
            self.outputs[f"o{at}"] = kind
        return self

    def files(self, folder=""):
        made = {f"{folder}main.tf": "\n".join(f"{made}\n" for made in self.blocks)}
        if self.json_overrides:
            made[f"{folder}a_override.tf.json"] = json.dumps(self.json_overrides, indent=1, ensure_ascii=False)
        if self.native_overrides:
            made[f"{folder}b_override.tf"] = "\n".join(f"{made}\n" for made in self.native_overrides)
        return made


def files(dice, document):
    """The files of a module under the schemas of a document, by path."""
    called = Module(dice, document, is_root=False).fill() if dice.random() < 0.5 else None
    made = called.files("called/") if called else {}
    return made | Module(dice, document, is_root=True).fill(called).files()

"""Schemas of providers that nobody has: a document as `terraform providers schema -json` prints it, made by dice."""

NAMES = ["name", "size", "zone", "tags", "labels", "policy", "token", "cidr", "ports", "mode", "weight", "enabled", "alias", "rules"]
BLOCKS = ["disk", "network", "rule", "setting", "access", "probe", "volume", "filter"]
PREFIX = "registry.terraform.io/hashicorp/"
# Types by provider; the first word is the provider's name.
TYPES = {"alpha": ["alpha_box", "alpha_net"], "beta": ["beta_site", "beta_user"]}
# How deep blocks, and nested attributes, are in each other.
DEPTH = 3


class Schemas:
    def __init__(self, dice):
        self.dice = dice

    def chance(self, share):
        return self.dice.random() < share

    def document(self):
        return {"format_version": "1.0", "provider_schemas": {PREFIX + name: self.provider(types) for name, types in TYPES.items()}}

    def provider(self, types):
        endpoint = {"endpoint": {"type": "string", "optional": True}, "secret": {"type": "string", "optional": True, "sensitive": True}}
        return {
            "provider": {"version": 0, "block": {"attributes": endpoint}},
            "resource_schemas": {name: {"version": self.dice.randint(0, 3), "block": self.resource()} for name in types},
            "data_source_schemas": {name: {"version": 0, "block": self.source()} for name in types},
        }

    def resource(self):
        block = self.in_block_syntax() if self.chance(0.2) else self.block(write_only=True)
        if self.chance(0.8):
            block["attributes"]["id"] = {"type": "string", "computed": True} | ({"optional": True} if self.chance(0.3) else {})
        if self.chance(0.4):
            times = {name: {"type": "string", "optional": True} for name in ["create", "delete"]}
            block.setdefault("block_types", {})["timeouts"] = {"nesting_mode": "single", "block": {"attributes": times}}
        return block

    def source(self):
        block = self.block(depth=1, write_only=False)
        block["attributes"]["id"] = {"type": "string", "computed": True}
        block["attributes"]["found"] = {"type": self.dice.choice(["string", ["list", "string"], ["set", "string"], ["map", "string"]]), "computed": True}
        return block

    def block(self, depth=0, write_only=False, dynamic=True, optional=False):
        """`dynamic`: whether a type may be any type, as it may not below collections; `optional`: whether nothing may be required."""
        block = {"attributes": self.attributes(self.dice.randint(1, 5 - depth), 0, write_only, dynamic, optional)}
        if depth < DEPTH and self.chance(0.8 - 0.25 * depth):
            names = self.dice.sample(BLOCKS, self.dice.randint(1, 3 if depth == 0 else 2))
            block["block_types"] = {name: self.block_type(depth + 1, write_only, dynamic, optional) for name in names}
        return block

    def block_type(self, depth, write_only, dynamic, optional):
        mode = self.dice.choice(["single", "list", "list", "set", "set", "map", "group"])
        alone = mode in ["single", "group"]
        inner = self.block(depth, write_only and mode != "set", dynamic and alone, optional or mode == "group")
        if self.chance(0.05):
            inner["deprecated"] = True
        found = {"nesting_mode": mode, "block": inner}
        if mode in ["list", "set"] and self.chance(0.2):
            found["max_items"] = self.dice.randint(1, 3)
        if mode in ["list", "set", "single"] and not optional and self.chance(0.15):
            found["min_items"] = 1
            if mode == "single":
                found["max_items"] = 1
        return found

    def attributes(self, count, depth, write_only, dynamic, optional):
        return {name: self.attribute(depth, write_only, dynamic, optional) for name in self.dice.sample(NAMES, count)}

    def attribute(self, depth, write_only, dynamic, optional):
        nested = depth < 2 and self.chance(0.25)
        how = self.how(optional)
        if not nested:
            if write_only and "computed" not in how and self.chance(0.12):
                how["write_only"] = True
            return {"type": self.type(dynamic)} | how
        mode = self.dice.choice(["single", "list", "set", "map"])
        inner = self.attributes(self.dice.randint(1, 3), depth + 1, write_only and mode != "set", dynamic and mode == "single", optional)
        if how.get("computed") and not how.get("optional"):
            only_computed(inner)
        return {"nested_type": {"nesting_mode": mode, "attributes": inner}} | how

    def how(self, optional):
        required = ["optional"] if optional else ["required"]
        kind = self.dice.choice([*required, "optional", "optional", "optional", "computed", "both", "both"])
        how = {"optional": True, "computed": True} if kind == "both" else {kind: True}
        if self.chance(0.12):
            how["sensitive"] = True
        if kind != "required" and self.chance(0.05):
            how["deprecated"] = True
        return how

    def type(self, dynamic=False, depth=0):
        at = self.dice.random()
        if depth >= 2 or at < 0.5:
            return self.dice.choice(["string"] * 5 + ["number"] * 2 + ["bool"] * 2)
        if dynamic and depth == 0 and at < 0.54:
            return "dynamic"
        kind = self.dice.choice(["list", "list", "set", "set", "map", "map", "object", "tuple"])
        if kind == "object":
            return ["object", {name: self.type(depth=depth + 1) for name in self.dice.sample("abcd", self.dice.randint(1, 3))}]
        if kind == "tuple":
            return ["tuple", [self.type(depth=depth + 1) for _ in range(self.dice.randint(1, 2))]]
        return [kind, self.type(depth=depth + 1)]

    def in_block_syntax(self):
        """A resource without nested attributes, whose lists and sets of objects may therefore be written as blocks."""
        names = self.dice.sample(NAMES, 5)
        plain = ["string", "number", "bool", ["list", "string"], ["set", "string"], ["map", "string"]]
        attributes = {name: {"type": self.dice.choice(plain)} | self.how(False) for name in names[:3]}
        for name in names[3:]:
            parts = {part: self.dice.choice(plain[:4]) for part in self.dice.sample("abcd", self.dice.randint(1, 3))}
            if self.chance(0.3):
                parts["inner"] = [self.dice.choice(["list", "set"]), ["object", {"x": "string", "y": "number"}]]
            kind = [self.dice.choice(["list", "set"]), ["object", parts]]
            attributes[name] = {"type": kind, "optional": True} | ({"computed": True} if self.chance(0.5) else {})
        block = {"attributes": attributes}
        if self.chance(0.5):
            inner = {name: {"type": self.dice.choice(plain[:3])} | self.how(False) for name in self.dice.sample(NAMES, 2)}
            block["block_types"] = {self.dice.choice(BLOCKS): {"nesting_mode": self.dice.choice(["list", "set"]), "block": {"attributes": inner}}}
        return block


def only_computed(attributes):
    for attribute in attributes.values():
        for flag in ["required", "optional", "write_only"]:
            attribute.pop(flag, None)
        attribute["computed"] = True
        if "nested_type" in attribute:
            only_computed(attribute["nested_type"]["attributes"])


def may_be_blocks(kind):
    """Whether an attribute of this type may be written as blocks."""
    return kind[0] in ["list", "set"] and kind[1][0] == "object"

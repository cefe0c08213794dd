#!/usr/bin/env python3
"""Asks one evaluator about one root module: ask_peer.py PEER DIR prints its answer as JSON; ask_peer.py PEER --version
prints its version. Runs in the environment that has the peer (run.py creates one).

The answer: {"instances": {ADDRESS: {ARGUMENT: VALUE}}}. A value is what the peer shows, unwrapped and otherwise as it
is; what it left as an expression is {"unresolved": TEXT}."""

import json
import logging
import os
import re
import sys

# What an expression of the language looks like when it was left as text.
EXPRESSION = re.compile(
    r"\$\{|%\{|\b(var|local|module|data|each|count|part|path|terraform_data)\.\w|\b[a-z]+\(|\bfor\s|\?.*:|[!=]=")


def shown(value):
    """Returns the value with what is an expression marked as unresolved."""
    if isinstance(value, str) and EXPRESSION.search(value):
        return {"unresolved": value}
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value


def checkov(folder):
    """The graph that checkov renders for its policies."""
    from checkov.common.graph.db_connectors.rustworkx.rustworkx_db_connector import RustworkxConnector
    from checkov.terraform.graph_manager import TerraformGraphManager
    logging.disable(logging.CRITICAL)
    manager = TerraformGraphManager(db_connector=RustworkxConnector())
    graph, _ = manager.build_graph_from_source_directory(folder, render_variables=True)
    # Its policies pass over what has a count of zero.
    none = [f"module.{v.name}." for v in graph.vertices if v.block_type == "module" and v.attributes.get("count") in (0, [0])]
    instances = {}
    for vertex in graph.vertices:
        if vertex.block_type != "resource" or vertex.attributes.get("count") in (0, [0]):
            continue
        address = vertex.attributes["__address__"]
        if address.startswith(tuple(none)):
            continue
        kind, name = vertex.name.split(".", 1)
        arguments = {}
        for argument, value in vertex.config[kind][name].items():
            if not argument.startswith("__"):
                # The parser wraps every argument in a list.
                arguments[argument] = shown(value[0] if isinstance(value, list) and len(value) == 1 else value)
        part = vertex.attributes.get("part")
        if part is not None:
            arguments["part"] = shown(part if isinstance(part, list) else [part])
        instances[address] = arguments
    return instances


def tfparse(folder):
    """What trivy's evaluator computes, through the Python package. It takes a list of definitions files, so it gets those
    that the tool loads."""
    import tfparse as package
    given = [name for name in ["terraform.tfvars"] if os.path.exists(os.path.join(folder, name))]
    given += sorted(name for name in os.listdir(folder) if name.endswith(".auto.tfvars"))
    instances = {}

    def plain(value):
        if isinstance(value, dict):
            if "__attribute__" in value:
                return {"unresolved": value["__attribute__"]}
            return {key: plain(item) for key, item in value.items() if key != "__tfmeta"}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return value

    for kind, blocks in package.load_from_path(folder, vars_paths=given).items():
        for block in blocks:
            if block.get("__tfmeta", {}).get("type") == "resource":
                # It gives every block an identifier of its own.
                arguments = {key: plain(value) for key, value in block.items() if key not in ("id", "__tfmeta")}
                # One block stands without a list.
                if isinstance(arguments.get("part"), dict):
                    arguments["part"] = [arguments["part"]]
                for part in arguments.get("part", []):
                    part.pop("id", None)
                instances[block["__tfmeta"]["path"]] = arguments
    return instances


PEERS = {"checkov": checkov, "tfparse": tfparse}

if __name__ == "__main__":
    peer, folder = sys.argv[1:]
    if folder == "--version":
        from importlib.metadata import version
        print(version(peer))
    else:
        out, sys.stdout = sys.stdout, sys.stderr
        json.dump({"instances": PEERS[peer](os.path.abspath(folder))}, out)

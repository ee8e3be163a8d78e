#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/PLATFORMS.md lists every key of a platform file: its tables are made of platforms/platform.schema.json.

usage: platform_page.py ROOT [--update]

Fails where the page's tables are not what the schema gives; --update writes them. What stands above "## Keys" is written by hand.
"""
import json
import pathlib
import sys

HEADING = "## Keys\n"
# How values are written, by the schema's types.
WRITTEN = {
    "text": "text",
    "time": 'time: `"0.6 us"`',
    "size": 'size: `"64 KiB"`',
    "rate": 'rate: `"12.5 GB/s"`, `"100 Gbit/s"`',
    "speed": 'speed: `"3 Gf"`',
    "ports": "count",
    "sockets": "count",
    "relative_speed": "number",
    "source": "text, or an object with a text for each key",
}


def name_of(value):
    return value["$ref"].rsplit("/", 1)[1]


def is_object(schema, name):
    return "properties" in schema["$defs"][name]


def kind(schema, value):
    """What a key's value is, as a reader writes it; objects link to their own table."""
    if "$ref" in value:
        name = name_of(value)
        target = schema["$defs"][name]
        if name in WRITTEN:
            return WRITTEN[name]
        return f"[{name}](#{name})" if is_object(schema, name) else kind(schema, target)
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(one)}`" for one in value["enum"])
    if "oneOf" in value:
        return " or ".join(kind(schema, one) for one in value["oneOf"])
    if value.get("type") == "array":
        return "list of " + kind(schema, value["items"])
    return {"integer": "count", "number": "number", "boolean": "`true`, `false`", "string": "text"}[value["type"]]


def meaning(schema, value):
    text = value.get("description", "")
    if not text and "$ref" in value and not is_object(schema, name_of(value)):
        text = schema["$defs"][name_of(value)].get("description", "")
    default = value.get("default", schema["$defs"][name_of(value)].get("default") if "$ref" in value else None)
    if default is not None:
        text += ("" if not text else " ") + f"Default `{json.dumps(default)}`."
    return text.replace("|", "\\|")


def objects_in_order(schema):
    """Names of objects, each after the first one that holds it."""
    order, pending = [], ["platform"]

    def refer(value):
        if isinstance(value, dict):
            if "$ref" in value:
                pending.append(name_of(value))
            for one in value.values():
                refer(one)
        elif isinstance(value, list):
            for one in value:
                refer(one)

    while pending:
        name = pending.pop(0)
        if name in order:
            continue
        if is_object(schema, name):
            order.append(name)
        refer(schema["$defs"][name].get("properties", schema["$defs"][name]))
    return order


def table(schema, name):
    entry = schema["$defs"][name]
    rows = [f"### {name}\n"]
    if entry.get("description"):
        rows.append(entry["description"] + "\n")
    rows += ["| key | value | |", "|---|---|---|"]
    for key, value in entry["properties"].items():
        mark = " (required)" if key in entry.get("required", []) else ""
        rows.append(f"| `{key}`{mark} | {kind(schema, value)} | {meaning(schema, value)} |")
    return "\n".join(rows) + "\n"


def keys(schema):
    return HEADING + "\n" + "\n".join(table(schema, name) for name in objects_in_order(schema))


def main():
    root = pathlib.Path(sys.argv[1])
    page = root / "docs/PLATFORMS.md"
    schema = json.loads((root / "platforms/platform.schema.json").read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    made = text[: text.index(HEADING)] + keys(schema)
    if "--update" in sys.argv[2:]:
        page.write_text(made, encoding="utf-8")
    elif made != text:
        print("docs/PLATFORMS.md: its tables are not those of platforms/platform.schema.json")
        print("  tests/form/platform_page.py . --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.client.differences NUMBER SEED`: random trees, their changes, and the operations that lead there.

Prints JSON: a list of `[old, wanted, operations]`.
"""

import json
import os
import random
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

from components.runtime.rendering.tree import Node, difference

KEYS = [f"k{number}" for number in range(8)]


def tree(chance: random.Random, depth: int = 0, key: str | None = None) -> Node:
    """A random tree; some lists have keys."""
    if depth and key is None and chance.random() < 0.3:
        return chance.choice("abc")
    attributes = {"class": chance.choice("xyz")} if chance.random() < 0.4 else {}
    if key is not None:
        attributes["key"] = key
    node: dict[str, Any] = {"tagName": chance.choice(["p", "ul", "div"])}
    if attributes:
        node["attributes"] = attributes
    if depth < 3 and chance.random() < 0.8:
        keyed = chance.random() < 0.5
        keys = chance.sample(KEYS, chance.randint(1, 5)) if keyed else [None] * chance.randint(1, 4)
        node["children"] = [tree(chance, depth + 1, key) for key in keys]
    return node


def changed(chance: random.Random, node: Node) -> Node:
    """`node` with some random changes: texts, tags, rows that move, go and come."""
    if isinstance(node, str):
        return chance.choice("abc") if chance.random() < 0.3 else node
    out = {name: value for name, value in node.items() if name != "children"}
    if chance.random() < 0.1:
        out["tagName"] = chance.choice(["p", "ul", "div"])
    children = [changed(chance, child) for child in node.get("children", [])]
    keys = [child.get("attributes", {}).get("key") if isinstance(child, dict) else None for child in children]
    if children and None not in keys:
        chance.shuffle(children)
        if chance.random() < 0.3:
            children.pop()
        free = [key for key in KEYS if key not in keys]
        if free and chance.random() < 0.3:
            children.insert(chance.randint(0, len(children)), tree(chance, 2, chance.choice(free)))
    elif chance.random() < 0.15:
        children.append("tail")
    return out | ({"children": children} if children else {})


def cases(number: int, seed: int) -> list[tuple[Node, Node, list[Any]]]:
    """`number` pairs of trees with the operations between them."""
    chance, made = random.Random(seed), []  # noqa: S311 - no secret
    for _ in range(number):
        old = tree(chance)
        new = changed(chance, old)
        made.append((old, new, difference(old, new)))
    return made


if __name__ == "__main__":
    sys.stdout.write(json.dumps(cases(int(sys.argv[1]), int(sys.argv[2]))))

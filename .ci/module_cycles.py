"""Fails if modules of a crate import each other in a circle.

Siblings count: files and folders in the same folder, with everything below them. A module and its parent may use each other. Paths
that begin with `crate::`, `super::` or `self::` are followed, also through names that a parent re-exports, but not through `*`. Tests are
left out.
"""

import pathlib
import re
import sys
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = re.compile(r"\s*(\w+)")
NEXT = re.compile(r"\s*::(?=\s*[\w{*])")
RENAMED = re.compile(r"\s+as\s+(\w+)")


def paths_at(text, position, before):
    """The paths of a tree such as `a::{b, c::d as e}` at a position, each a list of names with the name by which it is used, and where
    the tree ends."""
    if name := NAME.match(text, position):
        path, position = [*before, name[1]], name.end()
        if follows := NEXT.match(text, position):
            return paths_at(text, follows.end(), path)
        renamed = RENAMED.match(text, position)
        return [(path, renamed[1] if renamed else path[-1])], renamed.end() if renamed else position
    if group := re.compile(r"\s*\{").match(text, position):
        found, position = [], group.end()
        while True:
            position = re.compile(r"[\s,]*").match(text, position).end()
            if position >= len(text) or text[position] == "}":
                return found, position + 1
            inner, end = paths_at(text, position, before)
            if end == position:
                return found, end + 1
            found += inner
            position = end
    if star := re.compile(r"\s*\*").match(text, position):
        return [([*before, "*"], "*")], star.end()
    return [], position


def modules_of(source):
    """The text of each module by its path, without comments and tests."""
    modules = {}
    for file in source.rglob("*.rs"):
        name = file.relative_to(source).with_suffix("").parts
        name = () if name in [("lib",), ("main",)] else name
        if "tests" not in name:
            text = file.read_text().split("#[cfg(test)]\nmod tests {")[0]
            text_or_comment = r'"(?:\\.|[^"\\])*"|//[^\n]*'
            modules[name] = re.sub(text_or_comment, lambda it: "" if it[0][0] == "/" else it[0], text)
    return modules


def imports_of(modules):
    """The paths that each module uses, and the names that it imports with their paths."""
    used, imported = defaultdict(list), defaultdict(list)
    for module, text in modules.items():
        for start in re.finditer(r"(?<!::)\b(crate|super|self)::", text):
            base = {"self": module, "crate": (), "super": module[:-1]}[start[1]]
            position = start.end()
            while text.startswith("super::", position):
                base, position = base[:-1], position + len("super::")
            paths, _ = paths_at(text, position, list(base))
            used[module] += [path for path, _ in paths]
            if re.search(r"\buse\s+$", text[max(0, start.start() - 8) : start.start()]):
                imported[module] += [(name, path) for path, name in paths]
        # `pub use child::Name;`
        for start in re.finditer(r"\buse\s+(?=[a-z])", text):
            paths, _ = paths_at(text, start.end(), list(module))
            is_child = lambda path: tuple(path[: len(module) + 1]) in modules
            imported[module] += [(name, path) for path, name in paths if is_child(path)]
    return used, imported


def owner(path, modules, imported, depth=0):
    """The module that contains what a path names."""
    length = next(it for it in range(len(path), -1, -1) if tuple(path[:it]) in modules)
    module, rest = tuple(path[:length]), path[length:]
    if rest and depth < 5:
        for name, target in imported[module]:
            if name == rest[0]:
                return owner(target + rest[1:], modules, imported, depth + 1)
    return module


def circles(edges):
    """The groups of siblings of which each reaches the others."""

    def reached(start):
        found, following = set(), [start]
        while following:
            for one in edges.get(following.pop(), ()):
                if one not in found:
                    found.add(one)
                    following.append(one)
        return found

    reach = {name: reached(name) for name in list(edges)}
    groups = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in reach if a in reach[a]}
    return sorted(sorted(group) for group in groups)


def circles_of(source):
    modules = modules_of(source)
    used, imported = imports_of(modules)
    edges = defaultdict(lambda: defaultdict(set))
    for module, paths in used.items():
        for path in paths:
            other = owner(path, modules, imported)
            common = next(
                (at for at, (a, b) in enumerate(zip(module, other)) if a != b),
                min(len(module), len(other)),
            )
            if common < min(len(module), len(other)):
                edges[module[:common]][module[common]].add(other[common])
    for parent, siblings in edges.items():
        for circle in circles(siblings):
            yield "/".join([str(source.relative_to(ROOT)), *parent]), circle


def main():
    crates = [it.parent for it in ROOT.glob("*/**/Cargo.toml") if "target" not in it.parts]
    sources = [it / "src" for it in crates if (it / "src").is_dir()]
    found = [it for source in sorted(sources) for it in circles_of(source)]
    for folder, circle in found:
        print(f"FAIL {folder}: {', '.join(circle)} import each other")
    if len(sources) < 50:
        sys.exit(f"FAIL only {len(sources)} crates were found")
    print(f"{len(sources)} crates, {len(found)} circles")
    sys.exit(1 if found else 0)


main()

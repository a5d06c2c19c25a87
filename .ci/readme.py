"""Checks that what README.md says about the API and its clients is true.

usage: readme.py LOCAL_JSON

Runs its Python example against a running server with the published client, and compares its tables with openapi.json and with the
tests of the published clients. If the table of clients differs, the output says what it must be.
"""

import ast
import inspect
import json
import pathlib
import re
import subprocess
import sys

import vynco
from claims import check, hold

LOCAL = json.load(open(sys.argv[1]))
README = pathlib.Path("README.md").read_text()
CLIENTS = pathlib.Path("tests/clients")


def code(language):
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.S)
    check(len(blocks) == 1, f"{len(blocks)} blocks of {language}")
    return blocks[0]


def python_example_runs():
    example = code("python")
    for placeholder, value in {'"KEY"': repr(LOCAL["keys"]["starter"]), "http://127.0.0.1:9000/api": LOCAL["url"]}.items():
        check(placeholder in example, placeholder)
        example = example.replace(placeholder, value)
    results = {}
    exec(example, results)
    check(results["company"].company.name == "Ostvera Energie AG" and results["company"].persons, results["company"])
    check(results["screened"].hits, results["screened"])


def rust_example_is_what_the_tests_compile():
    compiled = "".join((CLIENTS / "vynco-rust/src/quickstart.rs").read_text().split())
    example = code("rust").replace('"KEY"', "key").replace('"http://127.0.0.1:9000/api"', "url")
    check("".join(example.split()) in compiled, example)


def capabilities_name_operations_that_exist():
    paths = json.load(open("functions/api/public/openapi.json"))["paths"]
    operations = {f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}" for path, item in paths.items() for method in item}
    rows = [row.split("|")[2] for row in README.split("## What it can do")[1].split("\n## ")[0].splitlines() if row.startswith("| ")]
    named = [name for row in rows[1:] for name in re.findall(r"`([^`]*)`", row)]
    check(len(named) > 60, named)
    for name in named:
        method, path = name.split() if " " in name else ("GET", name)
        path = "/v1/" + re.sub(r"{[^}]*}", "{}", path.replace("…", "companies/{uid}"))
        check(f"{method} {path}" in operations, name)


def table_of_clients_is_what_their_tests_call():
    for client, (working, all_methods) in {"Python `vynco` 4.0.0": python_methods(), "Rust `vynco` 2.4.1": rust_methods()}.items():
        row = f"| {client} | {working} of {all_methods} |"
        check(row in README, f"the row must begin with {row}")
    named = README.split("| Python `vynco`")[1].splitlines()[0].split("|")[2]
    check(set(re.findall(r"`([^`]*?)(?:\.\*)?`", named)) == not_served(), f"not served: {not_served()}")


def not_served():
    """What `vynco_python.py` lists. It fails if such a method works, or another one is not called."""
    assigned = (CLIENTS / "vynco_python.py").read_text().split("NOT_SERVED = set(")[1]
    return set(ast.literal_eval(assigned.split(".split()")[0].strip()).split())


def python_methods():
    client = vynco.Client("KEY", base_url=LOCAL["url"])
    resources = inspect.getmembers(client, lambda it: type(it).__module__.startswith("vynco.resources"))
    methods = {
        f"{name}.{method}"
        for name, resource in resources
        for method, _ in inspect.getmembers(type(resource), inspect.isfunction)
        if not method.startswith("_")
    }
    missing = {it for it in methods if it in not_served() or it.split(".")[0] in not_served()}
    return len(methods - missing), len(methods)


def rust_methods():
    """Each method of the client is called by its test: `not_served.rs` calls those that must have no endpoint."""
    manifest = CLIENTS / "vynco-rust/Cargo.toml"
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--manifest-path", manifest],
        check=True, capture_output=True,
    )
    package = next(it for it in json.loads(metadata.stdout)["packages"] if it["name"] == "vynco")
    resources = (pathlib.Path(package["manifest_path"]).parent / "src/resources").glob("*.rs")
    methods = [it for file in resources for it in re.findall(r"pub async fn (\w+)", file.read_text())]
    sources = {file.name: file.read_text() for file in (CLIENTS / "vynco-rust/src").glob("*.rs")}
    uncalled = {it for it in methods if not re.search(rf"\.\s*{it}\(", "".join(sources.values()))}
    check(not uncalled, f"no test calls {uncalled}")
    missing = re.findall(r"^        \w+\.\w+\(", sources["not_served.rs"].split("call! {")[1], re.M)
    return len(methods) - len(missing), len(methods)


hold(
    [
        python_example_runs,
        rust_example_is_what_the_tests_compile,
        capabilities_name_operations_that_exist,
        table_of_clients_is_what_their_tests_call,
    ]
)

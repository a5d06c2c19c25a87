"""Opens workbooks of a running server in LibreOffice, saves them again, and compares every cell.

usage: workbook.py LOCAL_JSON

The program `soffice` is LibreOffice. A cell must have the same value, of the same type, before and after.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

import openpyxl

LOCAL = json.load(open(sys.argv[1]))
PATH = "v1/companies/export/excel"
# One column with texts of each length, and each other type.
COLUMNS = [
    "uid", "name", "canton", "status", "legalForm", "shareCapital", "purpose", "foundingDate", "updatedAt", "isFinmaRegulated",
    "oldNames", "address", "latitude", "employeeCount", "sources",
]
ROWS = 1_000


def get(body):
    headers = {"Authorization": f"Bearer {LOCAL['keys']['professional']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{LOCAL['url']}/{PATH}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def check(fine, message):
    if not fine:
        sys.exit(f"{message}")


def converted(folder, file):
    """The same workbook, read and written by LibreOffice."""
    target = folder / "converted"
    # A profile of its own: LibreOffice starts once per profile.
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore"]
    command += ["--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", target, file]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    check(result.returncode == 0 and (target / file.name).exists(), f"{result.stdout}{result.stderr}")
    return target / file.name


def cells(file, values):
    """The value and the type of each cell, by sheet and place. With `values`, that of a formula is its result."""
    workbook = openpyxl.load_workbook(file, data_only=values)
    return {
        (sheet.title, cell.coordinate): (cell.value, cell.data_type, cell.is_date)
        for sheet in workbook
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


compared = 0
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for name, body in {
        "all": {"fields": COLUMNS},
        "filtered": {"fields": COLUMNS, "filter": {"canton": "ZH"}},
        "empty": {"fields": COLUMNS, "filter": {"name": "no company has this name"}},
    }.items():
        file = folder / f"{name}.xlsx"
        file.write_bytes(get(body | {"format": "xlsx"}))
        # LibreOffice writes truth values as the formulas `TRUE()` and `FALSE()`. Our workbooks have no formula.
        before, after = cells(file, False), cells(converted(folder, file), True)
        different = [it for it in before.keys() | after.keys() if before.get(it) != after.get(it)]
        check(not different, [(it, before.get(it), after.get(it)) for it in sorted(different)[:5]])
        kinds = {kind for _, kind, _ in before.values()}
        check(name != "all" or ({"s", "n", "b", "d"} <= kinds and len(before) > ROWS * 5), f"{len(before)} cells of {kinds}")
        compared += len(before)
print(f"{compared} cells are the same in LibreOffice")

"""Checks PDF files of a running server with qpdf: of the first companies of the register, in each language.

usage: pdf.py LOCAL_JSON

Typst itself refuses to write a file that does not conform to PDF/A-2a and PDF/UA-1.
"""

import io
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import pikepdf

LOCAL = json.load(open(sys.argv[1]))
PAGES = 60


def get(path, key, **headers):
    headers = {"Authorization": f"Bearer {LOCAL['keys'][key]}"} | {it.replace("_", "-"): value for it, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(f"{LOCAL['url']}/v1/{path}", headers=headers)) as answer:
        return answer.headers, answer.read()


def check(fine, message):
    if not fine:
        sys.exit(f"{message}")


companies = [it["uid"] for it in json.loads(get("companies?pageSize=6", "professional")[1])["items"]]
checked = 0
for uid in companies:
    for tier in ("free", "professional"):
        for language in ("de", "fr", "it", "en"):
            headers, file = get(f"companies/{uid}/profile.pdf", tier, accept_language=language)
            check(headers["Content-Disposition"] == f'attachment; filename="{uid}-profile.pdf"', headers)
            with pikepdf.open(io.BytesIO(file)) as pdf:
                check(pdf.check_pdf_syntax() == [], f"{uid} {language}: {pdf.check_pdf_syntax()}")
                check(0 < len(pdf.pages) < PAGES, f"{uid} {language}: {len(pdf.pages)} pages")
                check(str(pdf.Root.Lang).startswith(language), f"{uid}: {pdf.Root.Lang} is not {language}")
                check(pdf.Root.MarkInfo.Marked, f"{uid} {language}: no structure for screen readers")
                fonts = {name for page in pdf.pages for name in page.Resources.Font}
                check(fonts, f"{uid} {language}: no embedded font")
            if shutil.which("qpdf"):
                with tempfile.NamedTemporaryFile(suffix=".pdf") as stored:
                    stored.write(file)
                    stored.flush()
                    result = subprocess.run(["qpdf", "--check", stored.name], capture_output=True, text=True)
                    check(result.returncode == 0, result.stdout + result.stderr)
            checked += 1
print(f"{checked} PDF files passed")

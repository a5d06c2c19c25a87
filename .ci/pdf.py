"""Checks PDF files of a running server with qpdf: of the first companies of the register, in each language.

usage: pdf.py LOCAL_JSON

Typst itself refuses to write a file that does not conform to PDF/A-2a and PDF/UA-1.
"""

import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import pikepdf

LOCAL = json.load(open(sys.argv[1]))
PAGES = 60
# Size of the smallest whole font.
FONTS = pathlib.Path(__file__).parent.parent / "shared/typesetting/fonts"
SMALLEST_FONT = min(it.stat().st_size for it in FONTS.iterdir() if it.suffix in (".ttf", ".otf"))


def get(path, key, **headers):
    headers = {"Authorization": f"Bearer {LOCAL['keys'][key]}"} | {it.replace("_", "-"): value for it, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(f"{LOCAL['url']}/v1/{path}", headers=headers)) as answer:
        return answer.headers, answer.read()


def check(fine, message):
    if not fine:
        sys.exit(f"{message}")


def check_fonts(pdf, name):
    """Each font of each page is in the file, with only the characters that the file uses."""
    fonts = [font for page in pdf.pages for font in page.Resources.Font.values()]
    check(fonts, f"{name}: no font")
    for font in fonts:
        # A font with many characters has one descendant, which has the shapes.
        font = font.DescendantFonts[0] if "/DescendantFonts" in font else font
        check("/FontDescriptor" in font, f"{name}: {font.BaseFont} is not embedded")
        descriptor = font.FontDescriptor
        files = [descriptor[it] for it in ("/FontFile", "/FontFile2", "/FontFile3") if it in descriptor]
        check(len(files) == 1, f"{name}: {font.BaseFont} is not embedded")
        # PDF marks a part of a font with six letters before its name.
        check(re.fullmatch(r"/[A-Z]{6}\+.+", str(font.BaseFont)), f"{name}: {font.BaseFont} is embedded with all characters")
        size = len(files[0].read_bytes())
        check(size < SMALLEST_FONT, f"{name}: {font.BaseFont} has {size} bytes, which is not a part of a font")


def check_file(file, name, language):
    with pikepdf.open(io.BytesIO(file)) as pdf:
        check(pdf.check_pdf_syntax() == [], f"{name} {language}: {pdf.check_pdf_syntax()}")
        check(0 < len(pdf.pages) < PAGES, f"{name} {language}: {len(pdf.pages)} pages")
        check(str(pdf.Root.Lang).startswith(language), f"{name}: {pdf.Root.Lang} is not {language}")
        check(pdf.Root.MarkInfo.Marked, f"{name} {language}: no structure for screen readers")
        check_fonts(pdf, f"{name} {language}")
    # The same check by the program, which is not part of the tools.
    if shutil.which("qpdf"):
        with tempfile.NamedTemporaryFile(suffix=".pdf") as stored:
            stored.write(file)
            stored.flush()
            result = subprocess.run(["qpdf", "--check", stored.name], capture_output=True, text=True)
            check(result.returncode == 0, result.stdout + result.stderr)


companies = [it["uid"] for it in json.loads(get("companies?pageSize=6", "professional")[1])["items"]]
checked = 0
for uid in companies:
    for tier in ("free", "professional"):
        for language in ("de", "fr", "it", "en"):
            headers, file = get(f"companies/{uid}/profile.pdf", tier, accept_language=language)
            check(headers["Content-Disposition"] == f'attachment; filename="{uid}-profile.pdf"', headers)
            check_file(file, uid, language)
            checked += 1
# The longest names, an empty board, the largest company: see the test `files_to_look_at`.
extreme = sorted(pathlib.Path(sys.argv[2]).glob("*.pdf"))
check(len(extreme) == 16, extreme)
for path in extreme:
    name, language = path.stem.rsplit("-", 1)
    check_file(path.read_bytes(), name, language.lower())
    checked += 1
print(f"{checked} PDF files passed")

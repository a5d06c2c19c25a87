"""Checks PDF files of a running server with qpdf: of the first companies of the register, in each language. Reads the text of
every page: each has to state its number, the sources and their dates.

usage: pdf.py LOCAL_JSON FOLDER

FOLDER has the files of the test `files_to_look_at`. Typst itself refuses to write a file that does not conform to PDF/A-2a and
PDF/UA-1.
"""

import datetime
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import urllib.request
import zoneinfo

import pikepdf
import pypdf

LOCAL = json.load(open(sys.argv[1]))
PAGES = 60
# Size of the smallest whole font.
FONTS = pathlib.Path(__file__).parent.parent / "functions/api/company-pdf/fonts"
LANGUAGES = ["de", "fr", "it", "en"]
REPORT = ["Branchenbericht", "Rapport de branche", "Rapporto di settore", "Industry report"]
# What the pages have to state, in the order of the languages.
PAGE = ["Seite", "Page", "Pagina", "Page"]
FOOT = [
    ["Quelle: {}.", "Source : {}.", "Fonte: {}.", "Source: {}."],
    ["Quellen: {}.", "Sources : {}.", "Fonti: {}.", "Sources: {}."],
]
AS_OF = ["Stand der Angaben: {}.", "État des données : {}.", "Stato dei dati: {}.", "Record as of {}."]
CREATED = ["Erstellt am {}.", "Établi le {}.", "Creato il {}.", "Created on {}."]
NOTE = [
    "Rechtlich massgebend ist allein das Handelsregister.", "Seul le registre du commerce fait foi.",
    "Fa stato unicamente il registro di commercio.", "Only the commercial register itself has legal effect.",
]
DEMO_NOTE = [
    "Erfundene Daten eines Demonstrationsregisters.", "Données fictives d’un registre de démonstration.",
    "Dati inventati di un registro dimostrativo.", "Invented data of a demonstration register.",
]
SOURCES = {
    "shab": ["SHAB", "FOSC", "FUSC", "SOGC"],
    "zefix": ["Zefix"] * 4,
    "lindas": ["LINDAS"] * 4,
    "gleif": ["GLEIF"] * 4,
    "finma": ["FINMA"] * 4,
    "six": ["SIX"] * 4,
    "swisstopo": ["swisstopo"] * 4,
    "news": ["Medien", "Médias", "Media", "Media"],
    "reports": ["Geschäftsberichte", "Rapports annuels", "Rapporti annuali", "Annual reports"],
    "demo": ["Demoregister", "registre de démonstration", "registro dimostrativo", "demo register"],
}
BANKRUPTCY = [
    "Konkurs oder Nachlassstundung Konkurseröffnung:", "Faillite ou sursis concordataire Ouverture de la faillite :",
    "Fallimento o moratoria concordataria Apertura del fallimento:", "Bankruptcy or moratorium Opening of bankruptcy proceedings:",
]
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


def plain(text):
    """Without spaces and hyphens: lines end where the layout wants."""
    return re.sub(r"[\s\u00ad\u200b\u2010\u2011-]", "", unicodedata.normalize("NFKC", text))


def written(date, language):
    date = datetime.date.fromisoformat(date)
    return f"{date.day} {date:%b} {date.year}" if language == "en" else f"{date:%d.%m.%Y}"


def today():
    return datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Zurich")).date().isoformat()


def foot(record, language, day):
    """What is at the foot of every page of this company's file."""
    at = LANGUAGES.index(language)
    dates = {}
    for it in record.get("sources", []):
        dates[it["source"]] = max(dates.get(it["source"], ""), it.get("date", ""))
    if not dates and "dataSource" in record:
        dates = {record["dataSource"]: ""}
    named = [SOURCES[source][at] + (f" ({written(date, language)})" if date else "") for source, date in sorted(dates.items())]
    sentences = [FOOT[len(named) > 1][at].format(", ".join(named))] if named else []
    newest = max([*dates.values(), record.get("updatedAt", "")[:10]], default="")
    if newest:
        sentences.append(AS_OF[at].format(written(newest, language)))
    sentences.append(CREATED[at].format(written(day or today(), language)))
    return " ".join(sentences + [(DEMO_NOTE if record.get("dataSource") == "demo" else NOTE)[at]])


def check_pages(file, name, language, record, cells=(), day=None):
    """Every page ends with the sources, their dates and its number. The file contains the cells."""
    texts = [plain(it.extract_text()) for it in pypdf.PdfReader(io.BytesIO(file)).pages]
    page = PAGE[LANGUAGES.index(language)]
    for number, text in enumerate(texts, 1):
        end = plain(f"{foot(record, language, day)} {page} {number} / {len(texts)}")
        check(text.endswith(end), f"{name} {language}: page {number} does not end with {end}, but with {text[-len(end):]}")
    for cell in cells:
        check(any(plain(cell) in it for it in texts), f"{name} {language}: no page contains {cell}")


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


def record(uid):
    return json.loads(get(f"companies/{uid}", "professional")[1])


companies = [it["uid"] for it in json.loads(get("companies?pageSize=6", "professional")[1])["items"]]
checked = 0
for uid in companies:
    stated = record(uid)
    for tier in ("free", "professional"):
        for language in LANGUAGES:
            headers, file = get(f"companies/{uid}/profile.pdf", tier, accept_language=language)
            check(headers["Content-Disposition"] == f'attachment; filename="{uid}-profile.pdf"', headers)
            check_file(file, uid, language)
            check_pages(file, uid, language, stated, [stated["name"], uid])
            checked += 1
# A company with a history.
changes = json.loads(get("changes?type=bankruptcy&pageSize=100", "professional")[1])["items"]
opened = [it for it in changes if it.get("legalEvent") == "bankruptcy_opened" and it.get("newValue")]
check(opened, f"no bankruptcy was opened among {len(changes)} changes")
bankruptcy = opened[0]
uid = bankruptcy["companyUid"]
stated = record(uid)
for language, content in zip(LANGUAGES, BANKRUPTCY):
    file = get(f"companies/{uid}/profile.pdf", "professional", accept_language=language)[1]
    change = f"{written(bankruptcy['sourceDate'], language)} {content}"
    check_file(file, uid, language)
    check_pages(file, uid, language, stated, [stated["name"], uid, change])
    checked += 1
# The report of an industry, with its official name and the largest of its cantons.
listed = json.loads(get("reports/industries", "professional")[1])["industries"]
code = max(listed, key=lambda it: it["companyCount"])["code"]
report = json.loads(get(f"reports/industry/{code}", "professional")[1])
for language, kind in zip(LANGUAGES, REPORT):
    headers, file = get(f"reports/industry/{code}/report.pdf", "free", accept_language=language)
    check(headers["Content-Disposition"] == f'attachment; filename="{code}-report.pdf"', headers)
    check_file(file, code, language)
    texts = [plain(it.extract_text()) for it in pypdf.PdfReader(io.BytesIO(file)).pages]
    cells = [kind.upper(), f"NOGA 2008, {code}", *(it["name"] for it in report["topCompanies"]), report["trends"][-1]["quarter"]]
    for cell in cells:
        check(any(plain(cell) in it for it in texts), f"{code} {language}: no page contains {cell}")
    for number, text in enumerate(texts, 1):
        end = f"{DEMO_NOTE[LANGUAGES.index(language)]} {PAGE[LANGUAGES.index(language)]} {number} / {len(texts)}"
        check(text.endswith(plain(end)), f"{code} {language}: page {number} ends with {text[-len(end):]}")
    checked += 1
# The longest names, an empty board, the largest company: see the test `files_to_look_at`.
extreme = sorted(pathlib.Path(sys.argv[2]).glob("*.pdf"))
check(len(extreme) == 16, extreme)
invented = {"sources": [{"source": "shab", "date": "2026-10-21"}], "updatedAt": "2026-10-21T00:00:00Z"}
for path in extreme:
    name, language = path.stem.rsplit("-", 1)
    language = language.lower()
    cells = {
        "usual": [
            "Ostvera Energie AG",
            "CHE-600.000.012",
            f"{written('2020-01-02', language)} {BANKRUPTCY[LANGUAGES.index(language)]}",
            "mit Kollektivunterschrift zu zweien, beschränkt auf den Hauptsitz",
        ],
    }
    check_file(path.read_bytes(), name, language)
    check_pages(path.read_bytes(), name, language, {} if name == "bare" else invented, cells.get(name, []), "2026-11-25")
    checked += 1
print(f"{checked} PDF files passed")

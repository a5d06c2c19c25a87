"""A register of invented companies of which many end and move, and a server that serves it.

In the demo register, too few companies are deleted to say since when deletions are known, so that no survival can be estimated, and
none moves to another canton.
"""

import collections
import contextlib
import datetime
import json
import pathlib
import random
import subprocess
import tempfile
import time

COMPANIES = 2_000
# The first entry, the first deletion that a source states, and the last day.
FIRST, DELETIONS_FROM, LAST = datetime.date(2000, 1, 1), datetime.date(2016, 1, 1), datetime.date(2026, 6, 30)
# The seat of each canton, and the part of its companies that is dissolved in a year.
CANTONS = {"ZH": ("Zürich", 0.15), "BE": ("Bern", 0.06), "ZG": ("Zug", 0.3)}
MERGED = 0.04
MOVING = 0.15

MERGER = (
    "Aktiven und Passiven gehen infolge Fusion auf die Muster AG, in Zürich (CHE-600.000.012), über. "
    "Die Gesellschaft wird gelöscht."
)
CLOSURE = "Die Gesellschaft wird infolge Geschäftsaufgabe gelöscht."

Life = collections.namedtuple("Life", "uid canton start end is_merged moves_to moves_on")


def lives():
    """The lives of all companies, those that ended before deletions are known left out."""
    pick = random.Random(43)

    def after(day, rate):
        return day + datetime.timedelta(days=int(pick.expovariate(rate) * 365.25))

    def within(first, last):
        return first + datetime.timedelta(days=pick.randrange(1, max((last - first).days, 2)))

    found = []
    while len(found) < COMPANIES:
        canton, start = pick.choice(list(CANTONS)), within(FIRST, LAST)
        closure, merger = after(start, CANTONS[canton][1]), after(start, MERGED)
        end = min(closure, merger)
        if end < DELETIONS_FROM:
            continue
        moves = end > LAST and pick.random() < MOVING
        found.append(
            Life(
                uid=f"CHE6001{len(found):05}",
                canton=canton,
                start=start,
                end=end if end <= LAST else None,
                is_merged=merger < closure,
                moves_to=pick.choice([it for it in CANTONS if it != canton]) if moves else None,
                moves_on=within(start, LAST) if moves else None,
            )
        )
    return found


def publication(life, number, day, kind, canton, text):
    return {
        "sogcDate": f"{day}",
        "registryOfCommerceJournalDate": f"{day}",
        "sogcId": int(life.uid[3:]) * 10 + number,
        "registryOfCommerceCanton": canton,
        "message": text,
        "mutationTypes": [{"key": kind}],
    }


def record(life):
    """The record of a company in the format of the register's API."""
    name, seat = f"Muster {life.uid[3:]} AG", CANTONS[life.canton][0]
    entered = f"{name}, in {seat}, {life.uid}, Aktiengesellschaft (Neueintragung)."
    publications = [publication(life, 1, life.start, "status.neu", life.canton, entered)]
    if life.moves_to:
        text = f"{name}, bisher in {seat}, {life.uid}. Sitz neu: {CANTONS[life.moves_to][0]}."
        publications.append(publication(life, 2, life.moves_on, "aenderungsart.sitz", life.moves_to, text))
    if life.end:
        text = f"{name}, in {seat}, {life.uid}. {MERGER if life.is_merged else CLOSURE}"
        publications.append(publication(life, 3, life.end, "status.loeschung", life.canton, text))
    canton = life.moves_to or life.canton
    return {
        "name": name,
        "uid": life.uid,
        "canton": canton,
        "legalSeat": CANTONS[canton][0],
        "legalForm": {"uid": "0106"},
        "status": "CANCELLED" if life.end else "ACTIVE",
        "deletionDate": life.end and f"{life.end}",
        "sogcDate": publications[-1]["sogcDate"],
        "sogcPub": publications,
    }


@contextlib.contextmanager
def served(program):
    """Starts the program as a server of these companies. The value is what it writes to `local.json`."""
    with tempfile.TemporaryDirectory() as folder:
        file, data = pathlib.Path(folder, "zefix.json"), pathlib.Path(folder, "data")
        file.write_text(json.dumps([record(it) for it in lives()]))
        command = [program, "--port", "0", "--data", data, "--companies", "0", "--import", f"zefix={file}"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                while not (local := data / "local.json").exists():
                    if server.poll() is not None:
                        raise RuntimeError(f"{program} has ended with {server.returncode}")
                    time.sleep(0.2)
                yield json.loads(local.read_text())
            finally:
                server.terminate()

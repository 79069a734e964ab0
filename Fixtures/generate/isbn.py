"""Writes Fixtures/Goldens/ISBN: what isbnlib and python-stdnum answer, and where they part from the agency.

    python Fixtures/generate/isbn.py [RangeMessage.xml]

The peers carry range tables of their own day, so their hyphens differ from the message's for ranges assigned
since. The message decides: it is read a second time here, rule by rule as it stands in the XML, and
python-stdnum is asked again with a table made of the same message, where it has to agree on every number.
"""

import json
import pathlib
import sys

import isbnlib
from stdnum import isbn as stdnum_isbn
from stdnum import numdb

import isbn_ranges
from common.misprints import misprinted

TOP = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = TOP / "Fixtures" / "Goldens" / "ISBN"
MASK64 = (1 << 64) - 1


class SplitMix64:
    """The generator of Tests/TestSupport/SeededGenerator.swift."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound


def fnv1a(text, state=0xCBF29CE484222325):
    for byte in text.encode():
        state = ((state ^ byte) * 0x100000001B3) & MASK64
    return state


def check13(body):
    return str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(body)) % 10)


def check10(body):
    return "0123456789X"[-sum(int(d) * (10 - i) for i, d in enumerate(body)) % 11]


def seeded_bodies(message, count, seed):
    """`count` first twelve digits, as many of a small range as of a large one."""
    entries, _ = isbn_ranges.table(message)
    ends = [entry[0] for entry in entries[1:]] + [980 * 10**9]
    random = SplitMix64(seed)
    for _ in range(count):
        index = random.below(len(entries))
        start = entries[index][0]
        yield str(start + random.below(ends[index] - start))


def stdnum_table(message):
    """The message in python-stdnum's own format."""

    def ranges(rules, room):
        parts = []
        for low, high, length in rules:
            if length:
                low, high = (str(v).zfill(7).ljust(room, "0")[:length] for v in (low, high))
                parts.append(low if low == high else f"{low}-{high}")
        return ",".join(parts)

    lines = []
    for prefix, rules in message.prefixes.items():
        lines.append(prefix)
        lines.append(" " + ranges(rules, 9))
        for key, (name, group_rules) in message.groups.items():
            ean, group = key.split("-")
            if ean == prefix:
                lines.append(f' {group} agency="{name}"')
                if text := ranges(group_rules, 9 - len(group)):
                    lines.append("  " + text)
    return numdb.read(lines)


def stdnum_mask(code):
    parts = stdnum_isbn.split(code)
    return "-".join(parts) if all(parts) else "-"


def isbnlib_mask(code):
    """isbnlib writes two hyphens in a row where its table assigns nothing."""
    mask = isbnlib.mask(code) or "-"
    return "-" if "--" in mask else mask


def hyphenation(message):
    """120,000 numbers over all ranges, over 100,000 of them assigned: a checksum per thousand of the message's hyphenation."""
    count, seed = 120_000, 20260822
    codes, truth = [], []
    for body in seeded_bodies(message, count, seed):
        check = check13(body)
        parts = message.parts(body)
        codes.append(body + check)
        truth.append("-".join(parts) + "-" + check if parts else "-")

    masks = {
        "isbnlib": [isbnlib_mask(code) for code in codes],
        "python-stdnum": [stdnum_mask(code) for code in codes],
    }
    old = numdb._open_databases.get("isbn")
    numdb._open_databases["isbn"] = stdnum_table(message)
    again = [stdnum_mask(code) for code in codes]
    numdb._open_databases["isbn"] = old
    wrong = [pair for pair in zip(truth, again) if pair[0] != pair[1]]
    assert not wrong, f"python-stdnum with the same table differs: {wrong[:3]}"

    peers = {}
    for peer, answers in masks.items():
        differing = [i for i in range(count) if answers[i] != truth[i]]
        kinds = {"unassigned there": 0, "unassigned here": 0, "other hyphens": 0}
        for i in differing:
            kind = "unassigned there" if answers[i] == "-" else "unassigned here" if truth[i] == "-" else "other hyphens"
            kinds[kind] += 1
        peers[peer] = {"differing": len(differing), "kinds": kinds,
                       "examples": [[truth[i], answers[i]] for i in differing[:: max(1, len(differing) // 12)][:12]]}
    blocks = []
    for start in range(0, count, 1000):
        state = 0xCBF29CE484222325
        for mask in truth[start : start + 1000]:
            state = fnv1a(mask + "\n", state)
        blocks.append(f"{state:016x}")
    write("hyphenation.json", {
        "seed": seed, "count": count, "unassigned": truth.count("-"), "blockLength": 1000,
        "fnv1a": blocks, "peersWithTheirOwnTables": peers, "peersWithThisTable": {"python-stdnum": 0}})


def conversions(message):
    """Numbers both peers and the message hyphenate alike, with their ISBN-10 as isbnlib gives it."""
    rows = []
    for body in seeded_bodies(message, 6000, 7):
        code = body + check13(body)
        parts = message.parts(body)
        if not parts or code[:4] == "9790":
            continue
        mask = "-".join(parts) + "-" + code[-1]
        if isbnlib.mask(code) != mask or stdnum_mask(code) != mask:
            continue
        ten = isbnlib.to_isbn10(code) or None
        if ten:
            assert isbnlib.to_isbn13(ten) == code and stdnum_isbn.to_isbn10(code) == ten
            ten = isbnlib.mask(ten)
        rows.append(f"{mask} {ten or '-'}")
    write("conversions.json", {"rows": rows[:4000]})


def validation():
    """Numbers right and wrong in many ways, and the length at which both peers take them (0: neither)."""
    random = SplitMix64(11)
    texts = []
    for index in range(4000):
        kind = random.below(8)
        prefix = ("978", "978", "979")[random.below(3)]
        body = "".join(str(random.below(10)) for _ in range(9))
        text = prefix + body + check13(prefix + body) if random.below(2) else body + check10(body)
        place = random.below(len(text))
        if kind == 6:  # another product
            body = str(100 + random.below(900)) + body
            text = body + check13(body)
        else:
            text = misprinted(text, kind, place, random)
        texts.append(text)

    answers, disputed = [], []
    for text in texts:
        compact = text.replace("-", "").replace(" ", "")
        ours = 0
        if len(compact) == 13 and compact.isdigit() and compact[:3] in ("978", "979") and compact[:4] != "9790":
            ours = 13 if check13(compact[:12]) == compact[12] else 0
        elif len(compact) == 10 and compact[:9].isdigit() and check10(compact[:9]) == compact[9]:
            ours = 10
        isbnlib_says = 13 if isbnlib.is_isbn13(compact) else 10 if isbnlib.is_isbn10(compact) else 0
        stdnum_says = {"ISBN13": 13, "ISBN10": 10, None: 0}[stdnum_isbn.isbn_type(text)]
        answers.append(ours)
        if ours != isbnlib_says or ours != stdnum_says:
            disputed.append({"text": text, "isbnlib": isbnlib_says, "python-stdnum": stdnum_says})
    # Only music (979-0), which both take for books, and nine digits, which python-stdnum completes.
    for row in disputed:
        compact = row["text"].replace("-", "").replace(" ", "")
        assert compact.startswith("9790") or len(compact) == 9, row
    write("validation.json", {
        "texts": texts, "lengths": "".join({0: "-", 10: "X", 13: "3"}[a] for a in answers),
        "disputed": disputed})


def write(name, value):
    OUTPUT.mkdir(parents=True, exist_ok=True)
    (OUTPUT / name).write_text(json.dumps(value, indent=0, ensure_ascii=False) + "\n")
    print(f"{name}: {(OUTPUT / name).stat().st_size} bytes")


if __name__ == "__main__":
    message = isbn_ranges.Message(sys.argv[1] if len(sys.argv) > 1 else isbn_ranges.DEFAULT)
    validation()
    conversions(message)
    hyphenation(message)

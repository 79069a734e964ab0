"""Writes Fixtures/Goldens/DateExtraction/dates.tsv: texts, how dates are ordered where they come from, and the dates in
them.

Run from the top of the checkout: python Fixtures/generate/date_extraction.py

The rows of WRITTEN were written by hand from the rules in Sources/Algorithms/DateExtraction, in the formats of packages.
The others are dates of Python's calendar in every format, days that exist and days that do not. Whatever
python-dateutil can read is read by it too, and has to be the same date.

A line is: order, text, dates. «» stand around each date in the text, and are no part of it; \\n is a line break. A date
is ISO 8601, then its label, `~` and another reading, `?` where its year may be a day, `rN` for N repaired characters.
`-` is no date.
"""

import calendar
import datetime
import pathlib
import random
import re

from dateutil import parser

TOP = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = TOP / "Fixtures" / "Goldens" / "DateExtraction" / "dates.tsv"

# M month first, D day first, Y year first; * all three.
WRITTEN = """
*|EXP: «12/31/2025»|2025-12-31 expiry
M|Best by «1-2-25»|2025-01-02 bestBefore ~2025-02-01
D|Best by «1-2-25»|2025-02-01 bestBefore ~2025-01-02
Y|Best by «1-2-25»|2025-02-01 bestBefore ~2025-01-02
*|USE BY «15 NOV 2024»|2024-11-15 useBy
*|«2025-12-31»|2025-12-31
*|«20251231»|2025-12-31
*|«2025-12-31»T23:59:59Z|2025-12-31
*|«2025-12-31» 10:30|2025-12-31
*|«20251231»T235959|2025-12-31
*|«20251231»103000|2025-12-31
*|20251231256000|-
M|«1/2/25»|2025-01-02 ~2025-02-01
D|«1/2/25»|2025-02-01 ~2025-01-02
M|«01/02/2025»|2025-01-02 ~2025-02-01
D|«01/02/2025»|2025-02-01 ~2025-01-02
M|«5/5/25»|2025-05-05
Y|«25/12/31»|2025-12-31 ~2031-12-25
M|«25/12/31»|2031-12-25
D|«31/12/25»|2025-12-31
M|99/12/31|-
D|31/02/25|-
Y|«99/12/31»|1999-12-31
*|«31/12/2025»|2025-12-31
*|«31.12.2025»|2025-12-31
*|«31-12-2025»|2025-12-31
*|«31. 12. 2025»|2025-12-31
*|«31 / 12 / 2025»|2025-12-31
D|«1.2.25»|2025-02-01 ~2025-01-02
M|1.2.25|-
M|EXP «1.2.25»|2025-01-02 expiry ~2025-02-01
M|«12.31.25»|2025-12-31
*|EXP «12/2025»|2025-12 expiry
*|«12/2025»|2025-12
*|EXP «12-2025»|2025-12 expiry
*|12-2025|-
*|EXP «12.2025»|2025-12 expiry
*|12.2025|-
*|EXP «12 2025»|2025-12 expiry
M|«11/25»|2025-11 ?
D|(«11/25»)|2025-11 ?
M|EXP «11/25»|2025-11 expiry ?
M|EXP «11/32»|2032-11 expiry
Y|EXP «25/11»|2025-11 expiry ?
D|EXP 25/13|-
M|take 11/25 of it|-
M|11/25 cup|-
*|«2025-12»|2025-12
*|«2025/12»|2025-12
*|EXP «2025.12»|2025-12 expiry
*|2025.12|-
*|2025-1|-
*|2025-13|-
*|13/2025|-
*|EXP 13/2025|-
*|EXP 00/2025|-
*|«NOV 2024»|2024-11
*|«November 2024»|2024-11
*|BEST BY «NOV 24»|2024-11 bestBefore ?
*|BEST BY «NOV-24»|2024-11 bestBefore ?
*|BEST BY «NOV '24»|2024-11 bestBefore
*|«NOV '24»|2024-11
*|BEST BY «NOV 32»|2032-11 bestBefore
*|BEST BY NOV 24TH|-
*|meet on Nov 24|-
*|Nov 24 10:30|-
*|SELL BY «NOV 24» 10:30|2024-11 sellBy ?
*|«Nov 15, 2024»|2024-11-15
*|«November 15th, 2024»|2024-11-15
*|«15th of November 2024»|2024-11-15
*|«15. November 2024»|2024-11-15
M|«15-Nov-24»|2024-11-15
Y|«15-Nov-24»|2015-11-24 ~2024-11-15
*|«15NOV2024»|2024-11-15
D|«15NOV24»|2024-11-15
*|EXP «NOV152024»|2024-11-15 expiry
*|EXP «DEC3125»|2025-12-31 expiry
*|«DEC 31 2025»|2025-12-31
*|EXP «DEC 31 25»|2025-12-31 expiry
*|Dec 31 25|-
*|«Dec-31-25»|2025-12-31
*|«2025 DEC 31»|2025-12-31
*|«2025-DEC-31»|2025-12-31
M|«25DEC31»|2031-12-25
Y|«25DEC31»|2025-12-31 ~2031-12-25
*|EXP «2025 DEC»|2025-12 expiry
*|12 «May 15, 2025»|2025-05-15
*|«3. März 2025»|2025-03-03
*|«3 Maerz 2025»|2025-03-03
*|«1er janvier 2025»|2025-01-01
*|«2 février 2025»|2025-02-02
*|«14 août 2025»|2025-08-14
*|«25 déc. 2025»|2025-12-25
*|«15 de noviembre de 2024»|2024-11-15
*|«1 enero 2025»|2025-01-01
*|«31 dic 2025»|2025-12-31
*|«7 luglio 2025»|2025-07-07
*|«10 ott. 2025»|2025-10-10
*|«5 Okt 2025»|2025-10-05
*|«24. Dez. 2025»|2025-12-24
*|«9 mai 2025»|2025-05-09
*|«30 settembre 2025»|2025-09-30
*|«DÉCEMBRE 2025»|2025-12
*|MHD «31.12.2025»|2025-12-31 bestBefore
*|Mindestens haltbar bis: «31.12.2025»|2025-12-31 bestBefore
*|mindestens haltbar bis Ende «12.2025»|2025-12 bestBefore
D|zu verbrauchen bis «01.02.25»|2025-02-01 useBy ~2025-01-02
*|À consommer de préférence avant le «31/12/2025»|2025-12-31 bestBefore
*|A consommer jusqu'au «31/12/2025»|2025-12-31 useBy
*|Consumir preferentemente antes del «31/12/2025»|2025-12-31 bestBefore
*|Da consumarsi preferibilmente entro il «31/12/2025»|2025-12-31 bestBefore
*|Scadenza «31/12/2025»|2025-12-31 expiry
*|DLC «31/12/2025»|2025-12-31 useBy
*|Caducidad: «31/12/2025»|2025-12-31 expiry
*|hergestellt am «31.12.2025»|2025-12-31 manufactured
*|BEST BEFORE / MEILLEUR AVANT «2025 JN 15»|2025-06-15 bestBefore
*|BB «25MA09»|2025-05-09 bestBefore
*|2025 JN 15|-
*|BBE «31/12/2025»|2025-12-31 bestBefore
*|BestBefore«31/12/2025»|2025-12-31 bestBefore
*|EXP«12/31/2025»|2025-12-31 expiry
*|EXP«20251231»|2025-12-31 expiry
*|EXPIRES: «12/31/2025»|2025-12-31 expiry
*|Expiry Date «12/31/2025»|2025-12-31 expiry
*|SELL BY «12/31/2025»|2025-12-31 sellBy
*|Display until «31 Dec 2025»|2025-12-31 sellBy
*|PKD «12/31/2025»|2025-12-31 packed
*|Packed on «12/31/2025»|2025-12-31 packed
*|Packed in Italy «12/31/2025»|2025-12-31
*|MFG «01/2024» EXP «01/2026»|2024-01 manufactured; 2026-01 expiry
*|MFG   EXP\\n«01/2024»  «01/2026»|2024-01 manufactured; 2026-01 expiry
*|MFG/EXP «01/2024» «01/2026»|2024-01 manufactured; 2026-01 expiry
*|BEST BEFORE\\n«31 DEC 2025»|2025-12-31 bestBefore
*|BEST BEFORE\\n\\n«31 DEC 2025»|2025-12-31 bestBefore
*|BEST BEFORE\\n\\n\\n«31 DEC 2025»|2025-12-31
*|BEST BEFORE: see lid of the can or the bottom «31 DEC 2025»|2025-12-31
*|BEST BEFORE: LOT A12 «31 DEC 2025»|2025-12-31 bestBefore
*|EXP 12345 MFG «01/2024»|2024-01 manufactured
*|EXP 02/30/2025 MFG «01/01/2025»|2025-01-01 manufactured
*|«12/31/2025»-«01/31/2026»|2025-12-31; 2026-01-31
*|«01/2025» - «02/2026»|2025-01; 2026-02
*|«31/12/2025», «30/11/2025»|2025-12-31; 2025-11-30
*|Sold on «12/31/2025».|2025-12-31
*|«12/31/2025»EXP|2025-12-31
*|EXP «31 12 2025»|2025-12-31 expiry
D|EXP «31 12 25»|2025-12-31 expiry
*|31 12 2025|-
*|EXP «2025 12 31»|2025-12-31 expiry
M|EXP «123125»|2025-12-31 expiry
D|EXP «311225»|2025-12-31 expiry ~2031-12-25
Y|EXP «251231»|2025-12-31 expiry ~2031-12-25
M|EXP «122025»|2025-12 expiry ~2025-12-20
*|123125|-
M|EXP «12312025»|2025-12-31 expiry
*|12312025|-
*|MFG «25365»|2025-12-31 manufactured
*|MFG «2025365»|2025-12-31 manufactured
*|MFG «2025-365»|2025-12-31 manufactured
*|MFG «24366»|2024-12-31 manufactured
*|MFG 25366|-
*|MFG 25000|-
*|25365|-
*|2025-365|-
*|EXP 1225|-
*|EXP 2025|-
*|EXP «l2/3l/2O25»|2025-12-31 expiry r3
*|«l2/3l/2O25»|2025-12-31 r3
M|EXP «O1/O2/2O25»|2025-01-02 expiry ~2025-02-01 r3
*|IS/OS/2025|-
*|EXP «IS/O5/2025»|2025-05-15 expiry r3
*|EXP «2O251231»|2025-12-31 expiry r1
*|2O251231|-
*|«15 N0V 2024»|2024-11-15 r1
*|«15 0CT 2024»|2024-10-15 r1
*|EXP «5EP 2024»|2024-09 expiry r1
*|«1S NOV 2024»|2024-11-15 r1
*|BE5T BEF0RE «31/12/2025»|2025-12-31 bestBefore
*|EXP «12/2O25»|2025-12 expiry r1
*|«12/31/202S»|2025-12-31 r1
*|EXP «B/31/2025»|2025-08-31 expiry r1
*|EXP 12/31/25O|-
*|«|2/31/2025»|2025-12-31 r1
*|«１２／３１／２０２５»|2025-12-31
*|«31‑12‑2025»|2025-12-31
*|«2025–12–31»|2025-12-31
*|«٣١/١٢/٢٠٢٥»|2025-12-31
*|De\u0301cembre «31/12/2025»|2025-12-31
*|«25 de\u0301cembre 2025»|2025-12-25
*|31 FEB 2025|-
*|31 Feb, 2025|-
*|Feb 31, 2025|-
*|February 30 2024|-
*|29 FEB 2025|-
*|«29 FEB 2024»|2024-02-29
*|«29/02/2024»|2024-02-29
*|29/02/2025|-
*|«29/02/2000»|2000-02-29
*|29/02/1900|-
*|29/02/2100|-
*|31/04/2025|-
*|EXP 31/04/2025|-
*|13/13/2025|-
*|00/12/2025|-
*|12/00/2025|-
*|32/12/2025|-
*|2025-02-29|-
*|2025-13-01|-
*|2025-00-10|-
*|2025-12-32|-
*|20250229|-
*|20251301|-
M|EXP 310225|-
D|EXP 310225|-
D|EXP «251231»|2031-12-25 expiry ~2025-12-31
*|EXP 25365|-
*|0 NOV 2024|-
*|32 NOV 2024|-
*|31 NOV 2024|-
*|1234-12-31|-
*|12/31/1234|-
*|12/31/20255|-
*|112/31/2025|-
*|12/311/2025|-
*|12/31/205|-
*|12//31//2025|-
*|12/31-2025|-
*|12/31/2025/1|-
*|1/12/31/2025|-
*|192.168.12.25|-
*|10.2.25.1|-
*|version 10.12.2|-
*|978-0-306-40615-7|-
*|9780306406157|-
*|030-12-12-25|-
*|+49 30 12 12 2025|-
*|10:12:25|-
*|24/7|-
*|1/2 cup|-
*|$12.25|-
*|LOT 12 31 2025|-
*|LOT A20251231|-
*|LOT20251231|-
*|IMG_«20251231»_1|2025-12-31
*|IMG-«20251231»|2025-12-31
*|1.20251231|-
*|20251231.5|-
*|LOT«31/12/2025»|2025-12-31
*|A31/12/25|-
*|31/12/25A|-
*|EXP «12/31/2025»A|2025-12-31 expiry
*|Marchand 12, 2025|-
*|decided 12, 2025|-
*|100 «NOV 2024»|2024-11
*|page 5 of 12|-
*||-
*| |-
*|EXP|-
*|EXP:|-
*|/|-
*|--//..|-
*|31 DEC|-
*|DEC 31|-
*|DEC|-
*|2025|-
*|12|-
M|«12/31»|2031-12 ?
*|12/31/|-
*|31\\nDEC\\n2025|-
*|🍪 EXP «12/31/2025» 🍪|2025-12-31 expiry
*|日期«2025-12-31»|2025-12-31
*|賞味期限 «2025.12.31»|2025-12-31
"""

ENGLISH = "January February March April May June July August September October November December".split()

# Ways to write a date: name, template, the orders in which it means that date, whether the years are two digits.
FORMATS = [
    ("{m}/{d}/{y}", "M", False), ("{m:02}/{d:02}/{y}", "M", False), ("{m:02}-{d:02}-{y}", "M", False),
    ("{d}/{m}/{y}", "DY", False), ("{d:02}/{m:02}/{y}", "DY", False), ("{d:02}.{m:02}.{y}", "DY", False),
    ("{d}. {m}. {y}", "DY", False), ("{d:02}-{m:02}-{y}", "DY", False),
    ("{y}-{m:02}-{d:02}", "MDY", False), ("{y}/{m:02}/{d:02}", "MDY", False), ("{y}.{m}.{d}", "MDY", False),
    ("{y}{m:02}{d:02}", "MDY", False), ("{y}-{m:02}-{d:02}", "MDY", False),
    ("{m:02}/{d:02}/{s:02}", "M", True), ("{d:02}/{m:02}/{s:02}", "D", True), ("{d:02}.{m:02}.{s:02}", "D", True),
    ("{s:02}/{m:02}/{d:02}", "Y", True),
    ("{d} {abbr} {y}", "MDY", False), ("{d:02}-{abbr}-{y}", "MDY", False), ("{d:02}{ABBR}{y}", "MDY", False),
    ("{abbr} {d}, {y}", "MDY", False), ("{name} {d}, {y}", "MDY", False), ("{d} {name} {y}", "MDY", False),
    ("{ABBR} {d:02} {y}", "MDY", False), ("{y} {ABBR} {d:02}", "MDY", False),
    ("{d:02} {ABBR} {s:02}", "MD", True), ("{abbr}-{d:02}-{s:02}", "MDY", True),
]
LABELS = [("EXP ", "expiry"), ("Best by: ", "bestBefore"), ("USE BY ", "useBy"), ("Sell by ", "sellBy"), ("", ""),
          ("Packed on ", "packed"), ("MFG: ", "manufactured"), ("", "")]


def century(short):
    """POSIX: 69 to 99 are of the last century; strptime agrees."""
    year = 1900 + short if short >= 69 else 2000 + short
    assert datetime.datetime.strptime(f"{short:02}", "%y").year == year
    return year


def date(year, month, day):
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def readings(template, order, y, m, d):
    """What the numbers mean, in the order's sequence; `y`, `m`, `d` as they are put into the template."""
    s = y % 100
    long = "{y" in template
    if "abbr" in template.lower() or "name" in template:
        return [date(y if long else century(s), m, d)]
    fields = re.findall(r"{(\w)", template)
    values = {"y": y, "s": s, "m": m, "d": d}
    numbers = [values[f] for f in fields]
    if fields[0] == "y":
        return [date(*numbers)]
    year = (lambda n: n) if long else century

    def mdy():
        return date(year(numbers[2]), numbers[0], numbers[1])

    def dmy():
        return date(year(numbers[2]), numbers[1], numbers[0])

    def ymd():
        return date(century(numbers[0]), numbers[1], numbers[2])

    found = {"M": [mdy(), dmy()], "D": [dmy(), mdy()], "Y": [ymd(), dmy(), mdy()]}[order]
    return found


def generated():
    chooser = random.Random(41)
    rows = []
    days = [(2024, 2, 29), (2025, 12, 31), (2000, 2, 29), (1999, 1, 1), (2025, 7, 13)]
    days += [(chooser.randint(1970, 2067), chooser.randint(1, 12), chooser.randint(1, 28)) for _ in range(5)]
    impossible = [(2025, 2, 29), (2025, 2, 31), (2025, 4, 31), (2023, 11, 31), (2100, 2, 29), (2025, 6, 32)]
    for template, orders, short in FORMATS:
        for y, m, d in days + impossible:
            if short and not 1969 <= y <= 2068:
                continue
            order = chooser.choice(orders)
            words, label = chooser.choice(LABELS)
            text = template.format(
                y=y, m=m, d=d, s=y % 100, name=ENGLISH[m - 1], abbr=ENGLISH[m - 1][:3], ABBR=ENGLISH[m - 1][:3].upper())
            found = list(dict.fromkeys(f for f in readings(template, order, y, m, d) if f))
            if found:
                expected = " ".join(
                    [found[0].isoformat()] + [label] * bool(label) + [f"~{f.isoformat()}" for f in found[1:]])
                rows.append((order, f"{words}«{text}»", expected))
            else:
                rows.append((order, words + text, "-"))
    return rows


def cross_check(rows):
    """python-dateutil reads what it can; it has to agree."""
    agreed = 0
    for order, text, expected in rows:
        if expected == "-" or re.search(r" r\d", expected) or expected.count(";") or text.count("«") != 1:
            continue
        marked = re.search("«(.*)»", text).group(1)
        first = expected.split()[0]
        if len(first) == 7:
            continue
        # With the year first, dateutil takes a single digit for one.
        if order == "Y" and re.match(r"\d[-/.]\d+[-/.]\d\d$", marked):
            continue
        # Digits together, days of the year, symbols and other languages are not dateutil's.
        if re.fullmatch(r"\d{5,7}", marked) or re.search(r"\d{4}-\d{3}$|JN|MA0|DEC3125|NOV152024", marked):
            continue
        # Where the day is first, it would take 2018-06-08 for 6 August, and 18/06/08 with the year first too.
        year_last = re.search(r"\d{4}$", marked) and not re.match(r"\d{4}", marked)
        day_first = order != "M" and (order != "Y" or year_last) and not re.match(r"\d{4}", marked)
        try:
            found = parser.parse(marked, dayfirst=bool(day_first), yearfirst=order == "Y").date()
        except (ValueError, OverflowError):
            continue
        assert found.isoformat() == first, (order, text, expected, found)
        agreed += 1
    return agreed


def main():
    rows = []
    for line in WRITTEN.strip("\n").split("\n"):
        order, rest = line[0], line[2:]
        text, expected = rest.rsplit("|", 1)
        rows.append((order, text.replace("\\\\n", "\\n"), expected.strip()))
    written = len(rows)
    rows += [row for row in generated()]
    rows = list(dict.fromkeys(rows))
    agreed = cross_check(rows)
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} rows, {written} of them by hand; python-dateutil agrees on {agreed}")


if __name__ == "__main__":
    main()

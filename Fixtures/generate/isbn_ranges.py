"""Writes Sources/Algorithms/ISBN/RegistrationRanges.swift from the International ISBN Agency's range message.

    python Fixtures/generate/isbn_ranges.py [RangeMessage.xml]

The message (https://www.isbn-international.org/range_file_generation, "export XML") lists, for each
registration group, how many digits of the rest belong to the registrant. Ranges are facts; what is written
here is a table of our own: one number per range, sorted, so that one binary search answers both how long the
group element is and how long the registrant element is.

Only the standard library is used.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from email.utils import parsedate_to_datetime

TOP = pathlib.Path(__file__).resolve().parents[2]
DEFAULT = TOP.parent / "shared" / "isbn" / "RangeMessage_2026-08-22.xml"
OUTPUT = TOP / "Sources" / "Algorithms" / "ISBN" / "RegistrationRanges.swift"


class Message:
    """The range message: its date, the rules of the two prefixes and those of every group."""

    def __init__(self, path):
        if not pathlib.Path(path).is_file():
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: the range message {path} is not here")
        root = ElementTree.parse(path).getroot()
        self.date = parsedate_to_datetime(root.findtext("MessageDate").replace(" BST", " +0100")).date()
        self.prefixes = {e.findtext("Prefix"): self._rules(e) for e in root.iter("EAN.UCC")}
        # "978-600" -> (name, rules)
        self.groups = {e.findtext("Prefix"): (e.findtext("Agency"), self._rules(e)) for e in root.iter("Group")}

    @staticmethod
    def _rules(element):
        rules = []
        for rule in element.iter("Rule"):
            low, high = rule.findtext("Range").split("-")
            rules.append((int(low), int(high), int(rule.findtext("Length"))))
        return rules

    def parts(self, body):
        """(prefix, group, registrant, publication) of twelve digits, straight from the message; None where
        nothing is assigned. The slow reading of the rules, kept to check the table with."""
        prefix, rest = body[:3], body[3:]
        length = self._length(self.prefixes.get(prefix, []), rest)
        if length == 0 or f"{prefix}-{rest[:length]}" not in self.groups:
            return None
        group, rest = rest[:length], rest[length:]
        length = self._length(self.groups[f"{prefix}-{group}"][1], rest)
        return None if length == 0 else (prefix, group, rest[:length], rest[length:])

    @staticmethod
    def _length(rules, rest):
        value = int(rest[:7].ljust(7, "0"))
        return next((length for low, high, length in rules if low <= value <= high), 0)


def table(message):
    """[(first body, group length, registrant length, name index)], sorted, and the names."""
    names = sorted({name for name, _ in message.groups.values()})
    entries = []
    for prefix, (name, rules) in message.groups.items():
        ean, group = prefix.split("-")
        room = 9 - len(group)  # digits of registrant and publication
        first = int(ean + group) * 10**room
        position = first
        for low, high, length in rules:
            start, stop = (first + scaled(value, room) for value in (low, high + 1))
            if start > position:  # the message says nothing about these
                entries.append((position, len(group), 0, names.index(name)))
            assert start >= position and length < room, prefix
            entries.append((start, len(group), length, names.index(name)))
            position = stop
        end = first + 10**room
        assert position <= end, prefix
        if position < end:
            entries.append((position, len(group), 0, names.index(name)))
    entries.sort()
    # What lies between groups belongs to nobody.
    ends = sorted((int(p.replace("-", "")) * 10 ** (9 - len(p) + 4), 10 ** (9 - len(p) + 4)) for p in message.groups)
    gaps, position = [], 978 * 10**9
    for start, size in ends:
        if start > position:
            gaps.append((position, 0, 0, 0))
        assert start >= position
        position = start + size
    if position < 980 * 10**9:
        gaps.append((position, 0, 0, 0))
    entries = sorted(entries + gaps)
    # Neighbours that say the same are one.
    merged = [entries[0]]
    for entry in entries[1:]:
        same_group = entry[1] and entry[0] // 10 ** (9 - entry[1]) == merged[-1][0] // 10 ** (9 - entry[1])
        if entry[1:] == merged[-1][1:] and (same_group or not entry[1]):
            continue
        merged.append(entry)
    return merged, names


def scaled(value, room):
    """A bound of seven digits as one of `room` digits."""
    if room >= 7:
        return value * 10 ** (room - 7)
    quotient, remainder = divmod(value, 10 ** (7 - room))
    assert remainder == 0, value
    return quotient


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def filled(items, indent="    ", width=100):
    """Comma-separated items, as many a line as fit."""
    lines, line = [], indent
    for item in items:
        if len(line) + len(item) + 1 > width:
            lines.append(line.rstrip())
            line = indent
        line += item + ", "
    return "\n".join(lines + [line.rstrip()])


def main():
    message = Message(sys.argv[1] if len(sys.argv) > 1 else DEFAULT)
    entries, names = table(message)
    numbers = [f"{start}{group}{registrant}{name:03}" for start, group, registrant, name in entries]
    OUTPUT.write_text(f"""\
// swift-format-ignore-file
// Written by Fixtures/generate/isbn_ranges.py from the International ISBN Agency's range message of
// {message.date}. Do not edit; run the script with a newer message.

/// The registration ranges: which digits of an ISBN are its group and which its registrant.
enum RegistrationRanges {{
  /// The day of the range message this table was made from, year-month-day.
  static let date = "{message.date}"

  /// The number of registration groups in the message.
  static let groupCount = {len(message.groups)}

  /// One number per range, ascending; a range ends where the next begins.
  ///
  /// Decimal fields from the left:
  ///
  /// - the first twelve digits of the lowest ISBN-13 of the range;
  /// - the length of the group element (0: no group);
  /// - the length of the registrant element (0: not assigned);
  /// - in three digits, the index of the group's name in ``names``.
  static let entries: [UInt64] = [
{filled(numbers)}
  ]

  /// The names of the registration groups' agencies, as the message spells them.
  static let names: [String] = [
{filled([quoted(name) for name in names])}
  ]
}}
""")
    print(f"{OUTPUT.relative_to(TOP)}: {len(message.groups)} groups, {len(entries)} ranges, {message.date}")


if __name__ == "__main__":
    main()

"""Numbers as people get them wrong."""


def misprinted(text, kind, place, random):
    """The text with a fault of a kind from 1 to 5 at a place; as it is for any other kind.

    `random.below(n)` gives whole numbers below n.
    """
    if kind == 1:  # another digit
        return text[:place] + "0123456789X"[random.below(11)] + text[place + 1 :]
    if kind == 2:  # two neighbours change places
        return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]
    if kind == 3:  # one too many
        return text[:place] + str(random.below(10)) + text[place:]
    if kind == 4:  # one too few
        return text[:place] + text[place + 1 :]
    if kind == 5:  # separators where they like
        for _ in range(1 + random.below(4)):
            at = 1 + random.below(len(text) - 1)
            text = text[:at] + "- "[random.below(2)] + text[at:]
    return text

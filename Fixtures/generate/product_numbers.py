"""Writes Fixtures/Goldens/ISBN/product_numbers.json: what python-stdnum answers about ISSN, ISMN and GTIN-14.

Run from the top of the checkout: python Fixtures/generate/product_numbers.py
"""

from stdnum import ean, ismn, issn

from common import seeded
from common.misprints import misprinted


class Random:
    """Whole numbers below a bound."""

    def __init__(self, seed):
        self.units = iter(seeded.units(seed, 200_000))

    def below(self, bound):
        return int(next(self.units) * bound)


def digits(random, count):
    return "".join(str(random.below(10)) for _ in range(count))


def right(kind, random):
    """A valid number without separators; an ISMN in either form."""
    if kind == "issn":
        body = digits(random, 7)
        return body + issn.calc_check_digit(body)
    if kind == "gtin":
        body = digits(random, 13)
        return body + ean.calc_check_digit(body)
    body = digits(random, 8)
    check = ean.calc_check_digit("9790" + body)
    return ("M" if random.below(2) else "9790") + body + check


def written(kind, random):
    """A number that is right or wrong in one of many ways, with separators or without."""
    text = right(kind, random)
    place = random.below(len(text))
    change = random.below(8)
    if change == 6:
        return text.lower()
    return misprinted(text, change, place, random)


def main():
    random = Random(3297)
    golden = {}
    validators = {"issn": issn.is_valid, "ismn": ismn.is_valid,
                  "gtin": lambda text: ean.is_valid(text) and len(ean.compact(text)) == 14}  # fmt: skip
    for kind, is_valid in validators.items():
        texts = [written(kind, random) for _ in range(800)]
        answers = [is_valid(text) for text in texts]
        assert 200 < sum(answers) < 600
        golden[kind] = {"texts": texts, "valid": "".join("-x"[a] for a in answers)}
    # Number, as printed, in bars with two other digits.
    golden["issnForms"] = []
    for _ in range(400):
        number, variant = right("issn", random), digits(random, 2)
        golden["issnForms"].append([number, issn.format(number), variant, issn.to_ean(number, variant)])
    # As written, thirteen digits, as printed, publisher.
    golden["ismnForms"] = []
    for _ in range(400):
        number = right("ismn", random)
        thirteen = ismn.to_ismn13(number)
        golden["ismnForms"].append([number, thirteen, ismn.format(number), ismn.split(number)[2]])
    # Indicator and number of an item, and the package's; python-stdnum has the check digit only.
    golden["gtinForms"] = []
    for _ in range(400):
        length = (8, 12, 13)[random.below(3)]
        body = str(1 + random.below(9)) + digits(random, length - 2)
        item = body + ean.calc_check_digit(body)
        indicator = str(random.below(9))
        carton = indicator + body.zfill(12)
        carton += ean.calc_check_digit(carton)
        assert ean.is_valid(item) and ean.is_valid(carton)
        golden["gtinForms"].append([indicator, item, carton])
    seeded.write("ISBN/product_numbers.json", golden)


if __name__ == "__main__":
    main()

"""Writes Fixtures/Goldens/ISBN/peer_examples.json: the examples in python-stdnum's and isbnlib's own tests.

    python Fixtures/generate/isbn_examples.py

Data only: what goes in and what is to come out, read off the doctests and assertions. python-stdnum's tests are
in its source distribution on PyPI. isbnlib's are in none of its distributions there; Debian's package of it
has them (`apt-get download`, so this script runs on Debian only). Examples that ask for what the module does not do
are written down too, each with the reason.
"""

import ast
import doctest
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

import isbnlib
import stdnum.ean
import stdnum.isbn
import stdnum.ismn

STDNUM = "python-stdnum==2.2"
ISBNLIB = "python3-isbnlib=3.9.3-1.2"

rows, left_out = [], []


def add(source, operation, text, answer):
    """`answer` is what `operation` gives for `text`; None where it has to be refused."""
    row = {"from": source, "operation": operation, "text": text, "answer": answer}
    if row not in rows:
        rows.append(row)


def leave_out(source, example, reason):
    left_out.append({"from": source, "example": " ".join(example.split()), "reason": reason})


def compact(text):
    return re.sub("[ -]", "", text).upper()


# python-stdnum: doctests

NAMESPACE = {"isbn": stdnum.isbn, "ean": stdnum.ean, "ismn": stdnum.ismn}


def stdnum_examples(folder):
    for module in ("isbn", "ean", "ismn"):
        docstring = ast.get_docstring(ast.parse((folder / "stdnum" / f"{module}.py").read_text()))
        doctests(module, f"python-stdnum {module}.py", docstring)
        name = f"test_{module}.doctest"
        doctests(module, f"python-stdnum {name}", (folder / "tests" / name).read_text())


def doctests(module, source, text):
    namespace = dict(NAMESPACE)
    for example in doctest.DocTestParser().get_examples(text):
        statement = ast.parse(example.source).body[0]
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(statement, ast.Assign):
            exec(example.source, namespace)
        elif isinstance(statement.value, ast.ListComp):
            # The list of numbers that should all be valid.
            for number in filter(None, namespace["numbers"].splitlines()):
                add(source, "read", number, compact(number))
        else:
            call = statement.value
            function = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
            arguments = [eval(ast.unparse(argument), namespace) for argument in call.args]
            if call.keywords:
                function = "to_isbn13"  # validate and compact with convert=True
            error = (example.exc_msg or "").split(":")[0]
            answer = None if error or not example.want else ast.literal_eval(example.want)
            STDNUM_MODULES[module](source, example.source, function, arguments[0], answer)


def isbn_example(source, example, function, text, answer):
    if function == "is_valid":
        leave_out(source, example, "nine digits are completed to ten there")
    elif function == "split":
        digits = compact(text)
        if not stdnum.isbn.is_valid(digits):
            leave_out(source, example, "elements of a number that is no ISBN")
        else:
            add(source, "hyphenate", text, "-".join(filter(None, answer)) if all(answer[1:]) else None)
    else:
        operation = {"validate": "read", "compact": "normalize", "format": "hyphenate", "isbn_type": "kind",
                     "to_isbn13": "isbn13", "to_isbn10": "isbn10"}[function]
        if answer and operation.startswith("isbn1"):
            answer = compact(answer)  # the separators given are kept there
        add(source, operation, text, answer)


def ean_example(source, example, function, text, answer):
    if len(compact(text)) == 14:
        leave_out(source, example, "fourteen digits are a GTIN there, and UPC-A with an add-on here")
    else:
        add(source, "payload", text, answer)


def ismn_example(source, example, function, text, answer):
    if compact(text).startswith("M"):
        leave_out(source, example, "an ISMN of ten characters, which no bar code holds")
    elif function == "format":
        leave_out(source, example, "the hyphens of printed music")
    else:
        add(source, "music", text, answer and compact(text))


STDNUM_MODULES = {"isbn": isbn_example, "ean": ean_example, "ismn": ismn_example}


# isbnlib: assert_equals(function(text), answer) and assert_raises(Exception, function, text)


def isbnlib_examples(folder):
    data = ast.parse((folder / "data4tests.py").read_text()).body[0]
    texts = {data.targets[0].id: ast.literal_eval(data.value)}
    for name in ("test_core.py", "test_ext.py", "test_info.py"):
        source = f"isbnlib {name}"
        for call in ast.walk(ast.parse((folder / name).read_text())):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in ("assert_equals", "assert_raises"):
                continue
            example = ast.unparse(call)
            if call.func.id == "assert_raises":
                function, arguments, keywords, answer = call.args[1].id, call.args[2:], {}, None
            else:
                asked = call.args[0]
                if not isinstance(asked, ast.Call):
                    leave_out(source, example, "asks services on the net")
                    continue
                function, arguments, answer = asked.func.id, asked.args, ast.literal_eval(call.args[1])
                keywords = {keyword.arg: keyword.value.value for keyword in asked.keywords}
            if function == "len" or function == "get_isbnlike":
                counted(source, example, texts, arguments[0])
            else:
                isbnlib_example(source, example, function, ast.literal_eval(arguments[0]), keywords, answer)


def counted(source, example, texts, argument):
    if getattr(argument, "id", None) not in texts and getattr(getattr(argument, "func", None), "id", "") != "get_isbnlike":
        leave_out(source, example, "asks services on the net")
        return
    leave_out(source, example, "counts what only looks like an ISBN; the text's valid ones are compared instead")
    for text in texts.values():
        # Each once: where one stands in several writings, isbnlib misses some of them.
        found = filter(None, map(isbnlib.get_canonical_isbn, isbnlib.get_isbnlike(text)))
        add(source, "find", text, list(dict.fromkeys(found)))


def isbnlib_example(source, example, function, text, keywords, answer):
    operations = {
        "check_digit10": "check10", "check_digit13": "check13", "to_isbn10": "isbn10", "to_isbn13": "isbn13",
        "EAN13": "isbn13", "canonical": "normalize", "mask": "hyphenate", "infogroup": "group", "info": "group"}
    if function in operations:
        add(source, operations[function], text, answer)
    elif function in ("is_isbn10", "is_isbn13"):
        add(source, "kind", text, function[3:].upper() if answer else None)
    elif function == "clean":
        valid = isbnlib.get_canonical_isbn(answer)
        add(source, "find", text, [valid] if valid else [])
    elif function == "get_canonical_isbn" and keywords.get("output") in ("isbn10", "isbn13"):
        add(source, keywords["output"], text, answer)
    elif function == "get_canonical_isbn" and keywords.get("output") in (None, "bouth"):
        add(source, "find", text, [answer] if answer else [])
    elif function == "notisbn" and keywords.get("level") in (None, "strict"):
        valid = {10: "ISBN10", 13: "ISBN13"}[len(compact(text))] if not answer else None
        add(source, "kind", text, valid)
    elif function in ("doi", "desc", "cover"):
        leave_out(source, example, "asks services on the net" if function != "doi" else "makes a DOI")
    else:
        leave_out(source, example, "looks at the form without the check digit, or at the arguments")


def downloaded(folder):
    """The tests' folders of both."""
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", STDNUM],
                   cwd=folder, check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    subprocess.run(["apt-get", "download", "-q", ISBNLIB], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    package = next(folder.glob("*.deb"))
    content = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder / "isbnlib", filter="data")
    return next(folder.glob("python_stdnum-*/")), next(folder.glob("isbnlib/**/isbnlib/test"))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        stdnum_folder, isbnlib_folder = downloaded(pathlib.Path(scratch))
        stdnum_examples(stdnum_folder)
        isbnlib_examples(isbnlib_folder)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    others = ",\n".join(json.dumps(row, ensure_ascii=False) for row in left_out)
    top = pathlib.Path(__file__).resolve().parents[2]
    path = top / "Fixtures/Goldens/ISBN/peer_examples.json"
    path.write_text(f'{{"examples": [\n{lines}\n],\n"leftOut": [\n{others}\n]}}\n')
    print(f"{path.name}: {len(rows)} examples, {len(left_out)} left out, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Goldens for ModelStore: NIST's vectors for SHA-256, digests by hashlib, archives by zipfile.

NIST's files (CAVP, shabytetestvectors) come with the cryptography_vectors package.
"""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import cryptography_vectors

from common import seeded

OUT = Path(__file__).resolve().parents[1] / "Goldens" / "ModelStore"


def fields(name):
    """The `key = value` lines of one of NIST's files."""
    with cryptography_vectors.open_vector_file(f"hashes/SHA2/{name}.rsp", "r") as file:
        for line in file:
            key, sign, value = line.partition(" = ")
            if sign:
                yield key.strip(), value.strip()


def messages(name):
    """Pairs of message and digest; a message of length 0 is written as 00."""
    found, length, message = [], 0, ""
    for key, value in fields(name):
        if key == "Len":
            length = int(value)
        elif key == "Msg":
            message = value[: length // 4]
        elif key == "MD":
            found.append([message, value])
    return found


def monte_carlo():
    values = list(fields("SHA256Monte"))
    seed = next(value for key, value in values if key == "Seed")
    return {"seed": seed, "digests": [value for key, value in values if key == "MD"]}


def archive(compression, **options):
    """A zip file of three members; every number in it is fixed."""
    bytes = io.BytesIO()
    with zipfile.ZipFile(bytes, "w", compression) as file:
        for name, content in members().items():
            info = zipfile.ZipInfo(name, (2026, 8, 22, 10, 0, 0))
            info.compress_type = compression
            with file.open(info, "w", **options) as member:
                member.write(content)
        file.comment = b"a comment after the end"
    return bytes.getvalue()


def members():
    pattern = bytes(i * i % 251 for i in range(1500))
    return {"a/model.onnx": pattern * 3, "empty": b"", "b/other.onnx": b"other" * 20}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    content = bytes(int(number) & 255 for number in seeded.bits(1, 300))
    lengths = [hashlib.sha256(content[:n]).hexdigest() for n in range(301)]
    golden = {
        "short": messages("SHA256ShortMsg"),
        # Every eighth of them: all would be as large as all other goldens of their kind together.
        "long": messages("SHA256LongMsg")[::8],
        "monteCarlo": monte_carlo(),
        "lengths": lengths,
        "million": hashlib.sha256(b"a" * 1_000_000).hexdigest(),
    }
    (OUT / "sha256.json").write_text(json.dumps(golden, indent=0) + "\n")
    (OUT / "stored.zip").write_bytes(archive(zipfile.ZIP_STORED))
    (OUT / "deflated.zip").write_bytes(archive(zipfile.ZIP_DEFLATED))
    (OUT / "large-headers.zip").write_bytes(archive(zipfile.ZIP_DEFLATED, force_zip64=True))
    (OUT / "bzip2.zip").write_bytes(archive(zipfile.ZIP_BZIP2))
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in members().items()}
    (OUT / "members.json").write_text(json.dumps(sums, indent=1) + "\n")


if __name__ == "__main__":
    main()

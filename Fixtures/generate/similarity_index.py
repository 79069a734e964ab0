"""Writes Fixtures/Goldens/SimilarityIndex: whole indexes, made by Docs/SearchFiles.md alone.

What Swift reads of them it reads by the same page. Run from the top of the checkout:
python Fixtures/generate/similarity_index.py
"""

import json
import pathlib
import shutil
import struct
import uuid

import numpy as np
import xxhash

from common import seeded

GOLDENS = pathlib.Path("Fixtures/Goldens/SimilarityIndex")
METRICS = ["cosine", "innerProduct", "squaredEuclidean"]
PRECISIONS = ["float32", "float16", "int8"]
U64 = 2**64


def xxh(data, seed):
    return xxhash.xxh64_intdigest(data, seed % U64)


def header(magic, length, generation, salt, dimension, metric, precision, stride):
    body = struct.pack("<8sIIQQIBBHI", magic, 1, length, generation, salt, dimension,
                       METRICS.index(metric), PRECISIONS.index(precision), 0, stride)  # fmt: skip
    body = body.ljust(length - 8, b"\0")
    return body + struct.pack("<Q", xxh(body, 0))


def encoded(vector, metric, precision):
    vector = np.asarray(vector, np.float64)
    if metric == "cosine":
        vector = vector / np.sqrt(np.sum(vector * vector))
    if precision == "int8":
        raise ValueError("the module of the search says how bytes are scaled")
    row = vector.astype(np.float32 if precision == "float32" else np.float16).tobytes()
    return row + bytes(-len(row) % 4)


class Index:
    def __init__(self, dimension, metric, precision, generation, salt):
        self.metric, self.precision, self.salt, self.generation = metric, precision, salt, generation
        self.stride = len(encoded([1] * dimension, metric, precision))
        common = (generation, salt, dimension, metric, precision, self.stride)
        self.entries = header(b"TallyEnt", 128, *common)
        self.vectors = header(b"TallyVec", 4096, *common)
        self.payloads = header(b"TallyPay", 128, *common)
        self.records = self.rows = self.commits = self.fold = 0
        self.live = {}

    def record(self, body):
        body = body.ljust(56, b"\0")
        check = xxh(body, self.salt + self.records)
        self.entries += body + struct.pack("<Q", check)
        self.fold = ((self.fold << 5 | self.fold >> 59) % U64) ^ check
        self.records += 1

    def add(self, key, vector, payload):
        if key in self.live:
            self.remove(key)
        row = encoded(vector, self.metric, self.precision)
        self.record(struct.pack(
            "<B3xI16sQQQQ", 1, len(payload), key.bytes, self.rows, len(self.payloads) - 128,
            xxh(payload, self.salt), xxh(row, self.salt + self.rows)))  # fmt: skip
        self.vectors += row
        self.payloads += payload
        self.live[key] = (self.rows, row, payload)
        self.rows += 1

    def remove(self, key):
        self.record(struct.pack("<B7x16sQ", 2, key.bytes, self.live.pop(key)[0]))

    def commit(self):
        self.commits += 1
        self.record(struct.pack("<B7xQQQQQ", 3, self.commits, self.rows, len(self.live),
                                len(self.payloads) - 128, self.fold))  # fmt: skip

    def write(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "entries").write_bytes(self.entries)
        (folder / f"vectors-{self.generation}").write_bytes(self.vectors)
        (folder / f"payloads-{self.generation}").write_bytes(self.payloads)
        kind = "<f4" if self.precision == "float32" else "<f2"
        return [{"id": str(key), "payload": payload.hex(),
                 "vector": [float(x) for x in np.frombuffer(row, kind)[: self.dimension()]]}
                for key, (_, row, payload) in self.live.items()]  # fmt: skip

    def dimension(self):
        return struct.unpack_from("<I", self.entries, 32)[0]


def story(metric, precision, dimension, generation):
    u = iter(seeded.units(500 + dimension, 4000))
    index = Index(dimension, metric, precision, generation, int(next(u) * 2**53) * 1025)
    index.commit()
    keys = [uuid.UUID(int=int(next(u) * 2**53) << 64 | n) for n in range(8)]
    for commit in range(3):
        for n in range(5):
            key = keys[int(next(u) * 8)]
            if next(u) < 0.25 and key in index.live:
                index.remove(key)
            else:
                vector = [next(u) - 0.5 for _ in range(dimension)]
                index.add(key, vector, f"commit {commit}, {n} é".encode() * int(next(u) * 3))
        index.commit()
    # What a writer that was stopped leaves: records without a commit, and half a one.
    committed = index.entries, dict(index.live)
    index.add(uuid.UUID(int=1), [1] * dimension, b"never")
    torn = index.entries[len(committed[0]) :] + b"\1\0\0"
    index.entries, index.live = committed[0] + torn, committed[1]
    return index


if __name__ == "__main__":
    answers = []
    for metric, precision, dimension, generation in [
        ("cosine", "float32", 3, 1), ("innerProduct", "float16", 5, 2),
        ("squaredEuclidean", "float32", 1, 7),
    ]:  # fmt: skip
        name = f"{metric}-{precision}"
        index = story(metric, precision, dimension, generation)
        entries = index.write(GOLDENS / f"{name}.index")
        answers.append({"name": name, "dimension": dimension, "metric": metric,
                        "precision": precision, "commit": index.commits, "tornBytes": 67,
                        "entries": entries})  # fmt: skip
    hashes = [{"length": n, "seed": str(s), "hash": str(xxh(bytes(i * 7 % 256 for i in range(n)), s))}
              for n in [*range(0, 70), 1000] for s in (0, 1, 2**64 - 1)]  # fmt: skip
    (GOLDENS / "answers.json").write_text(
        json.dumps({"indexes": answers, "hashes": hashes}, ensure_ascii=False, indent=0) + "\n")

"""The commands that write, each with what is there before it and what must be so after it."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "Fixtures/Goldens/TallyCommands"
MODELS = ["--detector", IMAGES / "detector.onnx", "--embedder", IMAGES / "embedder.onnx"]
EMBEDDER = ["--embedder", IMAGES / "embedder.onnx"]
COUNT = ["count", "photos/a.png", "--set", "standard", *MODELS]
# Files that a run of several photos writes.
CLASSIFIER = ROOT / "Fixtures/Goldens/ReferenceModels/models/classifier_softmax.onnx"
CODES = [ROOT / "Fixtures/Goldens/Barcodes/qr.png", ROOT / "Fixtures/Goldens/Barcodes/databar.png"]
TEXTS = ["--models", "texts"]


@dataclasses.dataclass
class Case:
    name: str
    # Command lines that make what is there before.
    before: list
    # The command line whose calls fail.
    run: list
    # Command lines that show the stores; each must work after any failure, and print what it printed
    # before the command or what it prints after one that did not fail.
    shown: list = dataclasses.field(default_factory=list)
    # Command lines that show what is only made by the command; nothing may be there, or nothing in it.
    made: list = dataclasses.field(default_factory=list)
    # Files that are whole or not there, or as they were.
    files: list = dataclasses.field(default_factory=list)
    # Files that may end early, at the end of a line.
    lines: list = dataclasses.field(default_factory=list)
    # Whether the same command, run again, ends with all there is to be.
    again: bool = False
    # Whether what is shown may lie between the two, as of a command that does its work piece by piece.
    piecewise: bool = False
    # After how many lines of results a command that goes on for ever is asked to end; 0 if it ends by itself.
    ends_after: int = 0


def history(*words):
    return ["history", *words]


LIST = history("export")
INDEX = ["index", "export", "i.index", "--format", "csv"]
BUILD = ["index", "build", "i.index", "--vectors", "v.npy"]
SAVED = [[*COUNT, "--save"], [*COUNT, "--save"]]
LIBRARY = [["library", "list", "l.library"]]
STORE = ["--folder", "m"]
ADDED = ["models", "add", IMAGES / "embedder.onnx", "--name", "e", "--version", "1", *STORE]
UPDATE = ["models", "add", IMAGES / "detector.onnx", "--name", "e", "--version", "2", *STORE]
WHOLE = [["models", "list", *STORE], ["models", "verify", "--all", *STORE]]
FOLDER = ["count", "photos", "--set", "standard", *MODELS]
TEMPLATE = ["template", "add", "t", "photos/a.png", "--tiles", "1", *MODELS]

CASES = [
    Case("count --overlay", [], [*COUNT, "--overlay", "o.png"], files=["o.png"]),
    Case("count --report", [], [*COUNT, "--report", "p.html"], files=["p.html"]),
    Case("count --labels", [], [*COUNT, "--labels", "l.json"], files=["l.json"]),
    Case("count --histograms", [], [*COUNT, "--histograms", "h.svg"], files=["h.svg"]),
    Case("count --thumbnail", [], [*COUNT, "--thumbnail", "t.jpg"], files=["t.jpg"]),
    Case("count --map", [], [*COUNT, "--map", "m.svg"], files=["m.svg"]),
    Case("count --dendrogram", [], [*COUNT, "--dendrogram", "d.svg"], files=["d.svg"]),
    Case("count --crops", [], [*COUNT, "--crops", "c"], files=["c/*.png"], again=True),
    Case("count --labels, of a folder as YOLO", [], [*FOLDER, "--labels", "l/", "--label-format", "yolo"],
         files=["l/*.yaml", "l/*.txt", "l/*/*.txt"], again=True),
    Case("count --save", SAVED, [*COUNT, "--save"], shown=[LIST]),
    Case("count --save, the first", [], [*COUNT, "--save"], shown=[LIST]),
    Case("count --save, the last that fits", [*SAVED, history("limit", "2")], [*COUNT, "--save"],
         shown=[LIST]),
    Case("count --results .jsonl", [], [*FOLDER, "--results", "r.jsonl"], lines=["r.jsonl"], again=True),
    Case("count --results .csv", [], [*FOLDER, "--results", "r.csv"], lines=["r.csv"], again=True),
    Case("count --retry-failed",
         [["!cp", "photos/a.png", "good"], ["!cp", "broken", "photos/a.png"],
          [*FOLDER, "--results", "r.jsonl"], ["!cp", "good", "photos/a.png"]],
         [*FOLDER, "--results", "r.jsonl", "--retry-failed"], lines=["r.jsonl"], again=True),
    Case("detect --overlay", [], ["detect", "photos/a.png", *MODELS[:2], "--overlay", "o.png"], files=["o.png"]),
    Case("detect --results", [], ["detect", "photos", *MODELS[:2], "--results", "r.jsonl"], lines=["r.jsonl"],
         again=True),
    Case("classify --results", [], ["classify", "photos", "--model", CLASSIFIER, "--results", "r.csv"],
         lines=["r.csv"], again=True),
    Case("recognize --results", [],
         ["recognize", "photos", "--classifier", CLASSIFIER, *TEXTS, "--results", "r.jsonl"], lines=["r.jsonl"],
         again=True),
    Case("barcode --overlay", [], ["barcode", CODES[0], "--overlay", "o.png"], files=["o.png"]),
    Case("barcode --results", [], ["barcode", *CODES, "--results", "r.csv"], lines=["r.csv"], again=True),
    Case("text --overlay", [], ["text", "shelf.png", *TEXTS, "--overlay", "o.png"], files=["o.png"]),
    Case("text --results", [], ["text", "photos", *TEXTS, "--results", "r.jsonl"], lines=["r.jsonl"], again=True),
    Case("spines --overlay --crops", [],
         ["spines", "shelf.png", "--edges-only", "--overlay", "o.png", "--crops", "c"], files=["o.png", "c/*.png"],
         again=True),
    Case("spines --results", [], ["spines", "photos", "--edges-only", "--results", "r.csv"], lines=["r.csv"],
         again=True),
    Case("scan --overlay", [], ["scan", "shelf.png", "--edges-only", *TEXTS, "--overlay", "o.png"],
         files=["o.png"]),
    Case("scan --results", [], ["scan", "photos", "--edges-only", *TEXTS, "--results", "r.jsonl"],
         lines=["r.jsonl"], again=True),
    Case("embed --results", [], ["embed", "photos", *EMBEDDER, "--results", "r.jsonl"], lines=["r.jsonl"], again=True),
    Case("embed --output", [], ["embed", "photos/a.png", "photos/b.png", *EMBEDDER, "--output", "e.npy"],
         files=["e.npy"], again=True),
    Case("cluster --dendrogram", [], ["cluster", "v.npy", "--clusters", "2", "--dendrogram", "d.svg"],
         files=["d.svg"], again=True),
    Case("model run", [],
         ["model", "run", IMAGES / "embedder.onnx", "--input", "NAME=x.npy", "--output-dir", "o"],
         files=["o/*"], again=True),
    Case("model run --trace", [],
         ["model", "run", IMAGES / "embedder.onnx", "--input", "NAME=x.npy", "--output-dir", "o", "--trace", "t.json"],
         files=["t.json"], again=True),
    Case("model quantize", [],
         ["model", "quantize", IMAGES / "detector.onnx", "photos/a.png", "--output", "q.onnx", "--last-layers",
          "--snr", "off"], files=["q.onnx"]),
    Case("history show --thumbnail", SAVED, history("show", "ID", "--thumbnail", "t.jpg"), shown=[LIST],
         files=["t.jpg"], again=True),
    Case("history favorite", SAVED, history("favorite", "ID"), shown=[LIST], again=True),
    Case("history delete", SAVED, history("delete", "ID"), shown=[LIST]),
    Case("history clear", SAVED, history("clear", "--yes"), shown=[LIST], again=True),
    Case("history limit", SAVED, history("limit", "1", "--yes"), shown=[LIST, history("limit")],
         again=True),
    Case("history salvage", SAVED, history("salvage", "--to", "s.sqlite"),
         shown=[LIST], made=[history("export", "--history", "s.sqlite")]),
    Case("watch --save", SAVED,
         ["watch", "photos", "--save", "--json", "--set", "standard", *MODELS], shown=[LIST], piecewise=True,
         ends_after=3),
    Case("watch --results --overlay", [],
         ["watch", "photos", "--results", "r.jsonl", "--overlay", "o/", "--set", "standard", *MODELS],
         files=["o/*.png"], lines=["r.jsonl"], ends_after=3),
    Case("index build", [], BUILD, made=[INDEX]),
    Case("index add", [BUILD], ["index", "add", "i.index", "--vectors", "v.npy", "--payloads", "names"],
         shown=[INDEX]),
    Case("index remove", [BUILD], ["index", "remove", "i.index", "ROW"], shown=[INDEX]),
    Case("index compact", [BUILD, ["index", "remove", "i.index", "ROW"]], ["index", "compact", "i.index"],
         shown=[INDEX], again=True),
    Case("index salvage", [BUILD], ["index", "salvage", "i.index", "--to", "s.index"], shown=[INDEX],
         made=[["index", "export", "s.index", "--format", "csv"]]),
    Case("library add, the first", [], ["library", "add", "l.library", "photos/a.png", *EMBEDDER],
         made=LIBRARY),
    Case("library add", [["library", "add", "l.library", "photos/a.png", *EMBEDDER]],
         ["library", "add", "l.library", "photos/b.png", "photos/c.png", *EMBEDDER], shown=LIBRARY,
         piecewise=True),
    Case("library remove", [["library", "add", "l.library", "photos/a.png", "photos/b.png", *EMBEDDER]],
         ["library", "remove", "l.library", "ENTRY"], shown=LIBRARY),
    # A version may be there and not yet in use.
    Case("models fetch", [],
         ["models", "fetch", "--manifest", "manifest.json", "--from", IMAGES / "embedder.onnx", *STORE],
         shown=[["models", "list", *STORE]], again=True, piecewise=True),
    Case("models add, the first", [], ADDED, shown=[["models", "list", *STORE]], again=True, piecewise=True),
    Case("models add, an update", [ADDED], UPDATE, shown=WHOLE, again=True, piecewise=True),
    Case("models use", [ADDED, UPDATE], ["models", "use", "e", "1", *STORE], shown=WHOLE,
         again=True),
    Case("models remove", [ADDED, UPDATE], ["models", "remove", "e", "1", *STORE],
         shown=WHOLE),
    Case("settings set", [["settings", "set", "confidence=0.3"]],
         ["settings", "set", "confidence=0.4", "similarity=0.7"], shown=[["settings", "show"]], again=True),
    Case("settings reset", [["settings", "set", "confidence=0.3"]], ["settings", "reset"],
         shown=[["settings", "show"]], again=True),
    Case("template add", [], TEMPLATE, shown=[["template", "list"]]),
    Case("template add --replace", [TEMPLATE], [*TEMPLATE, "--replace"], shown=[["template", "list"]],
         again=True),
    Case("template remove", [TEMPLATE], ["template", "remove", "t"], shown=[["template", "list"]]),
    Case("tune --output", [], ["tune", "tuned", "--tiles", "1", "--output", "t.json", *MODELS], files=["t.json"]),
    Case("evaluate counts --markdown", [],
         ["evaluate", "counts", "truth", "--set", "standard", *MODELS, "--markdown", "Accuracy.md"],
         files=["Accuracy.md"]),
    Case("evaluate counts --failures", [],
         ["evaluate", "counts", "truth", "--set", "standard", *MODELS, "--failures", "f", "--sheet", "s.png"],
         files=["f/*.png", "s.png"], again=True),
]

# What is killed: at each of its calls, and at moments by chance.
KILLED = ["index build", "index add", "index compact", "library add, the first", "library add",
          "models add, the first", "models add, an update", "models use", "models remove",
          "count --retry-failed", "count --results .jsonl", "count --save", "settings set",
          "template add --replace", "watch --save", "models fetch", "barcode --results", "library remove",
          "spines --overlay --crops"]

# What differs from run to run: names, times and places by chance.
CHANCE = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I), "UUID"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?"), "TIME"),
    (re.compile(r'"seconds":[0-9.e+-]+|[0-9.]+ (ms|s)\b'), "SECONDS"),
]

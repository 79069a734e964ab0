#!/usr/bin/env python3
"""Makes what the fuzzers of the runner start from: python Tests/Fuzz/seeds.py

Tests/Fuzz/attributes.txt: the operators' attributes and their types, for random graphs; kept in the repository.
Tests/Fuzz/corpus/loader: the models of ONNX's backend tests and of Fixtures/Goldens/ONNXRunner up to 16 KiB.
Needs onnx (Fixtures/requirements.txt).
"""
import pathlib
import shutil

import onnx
import onnx.defs

here = pathlib.Path(__file__).resolve().parent

attributes = {}
for schema in onnx.defs.get_all_schemas_with_history():
    if schema.domain == "":
        known = attributes.setdefault(schema.name, {})
        for name, attribute in schema.attributes.items():
            known[name] = int(attribute.type.value)
lines = []
for operator in sorted(attributes):
    words = [f"{name}:{kind}" for name, kind in sorted(attributes[operator].items())]
    lines.append(" ".join([operator] + words) + "\n")
(here / "attributes.txt").write_text("".join(lines))

corpus = here / "corpus" / "loader"
corpus.mkdir(parents=True, exist_ok=True)
backend = pathlib.Path(onnx.__file__).parent / "backend/test/data"
models = {}
for model in backend.glob("*/*/model.onnx"):
    models[f"{model.parent.parent.name}-{model.parent.name}"] = model
for model in (here.parents[1] / "Fixtures/Goldens/ONNXRunner").glob("*.onnx"):
    models[model.stem] = model
for name, model in models.items():
    if model.stat().st_size <= 16 << 10:
        shutil.copyfile(model, corpus / name)
print(f"{len(list(corpus.iterdir()))} models in {corpus}")

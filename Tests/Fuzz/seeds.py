#!/usr/bin/env python3
"""Makes what the fuzzer of the loader starts from: python Tests/Fuzz/seeds.py

Tests/Fuzz/corpus/loader: the models of ONNX's backend tests and of Fixtures/Goldens/ONNXRunner up to 16 KiB.
Needs onnx (Fixtures/requirements.txt).
"""
import pathlib
import shutil

import onnx

here = pathlib.Path(__file__).resolve().parent

corpus = here / "corpus" / "loader"
corpus.mkdir(parents=True, exist_ok=True)
backend = pathlib.Path(onnx.__file__).parent / "backend/test/data"
models = {}
for model in backend.glob("*/*/model.onnx"):
    models[f"{model.parent.parent.name}-{model.parent.name}"] = model
for model in (here.parents[1] / "Fixtures/Goldens/ONNXRunner").glob("*.onnx"):
    models[model.stem] = model
for model in (here.parents[1] / "Fixtures/Goldens/ONNXRunner").glob("runtime/*/model.onnx"):
    models[f"runtime-{model.parent.name}"] = model
for name, model in models.items():
    if model.stat().st_size <= 16 << 10:
        shutil.copyfile(model, corpus / name)
print(f"{len(list(corpus.iterdir()))} models in {corpus}")

"""Runs an int8 model that `tally model quantize` made in ONNX Runtime, and the float one beside it.

    python Fixtures/reference/quantized.py FLOAT.onnx INT8.onnx INPUT.npy... [--tally TALLY] [--threads 1]

Prints the signal-to-noise ratio of each output against the float model's, and the time of a run of both. With
--tally, the same of this package's runner on the first input, and how far the two int8 answers are apart.
Inputs are of a model with one input. Wants numpy and onnxruntime.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime


def session(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def ratio(pairs):
    signal = sum((a.astype(np.float64) ** 2).sum() for a, _ in pairs)
    noise = sum(((a.astype(np.float64) - b.astype(np.float64)) ** 2).sum() for a, b in pairs)
    return 10 * np.log10(signal / noise) if noise > 0 else np.inf


def milliseconds(run, rounds):
    run()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return np.median(times)


def tally(program, model, name, array, threads):
    """The outputs by name, and the median time."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/in.npy", array)
        given = ["--input", f"{name}={folder}/in.npy", "--threads", str(threads)]
        subprocess.run(
            [program, "model", "run", model, *given, "--output-dir", folder], check=True, capture_output=True)
        bench = subprocess.run(
            [program, "model", "bench", model, *given, "--json"], check=True, capture_output=True)
        outputs = {file.stem: np.load(file) for file in Path(folder).glob("*.npy") if file.stem != "in"}
    return outputs, json.loads(bench.stdout)["median_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("float_model")
    parser.add_argument("int8_model")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--tally")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    before, after = (session(path, options.threads) for path in (options.float_model, options.int8_model))
    given = before.get_inputs()[0]
    kind = np.float16 if "float16" in given.type else np.float32
    arrays = [np.load(path).astype(kind) for path in options.inputs]
    pairs = [(before.run(None, {given.name: a}), after.run(None, {given.name: a})) for a in arrays]
    for place, output in enumerate(before.get_outputs()):
        values = [(a[place], b[place]) for a, b in pairs]
        largest = max(np.abs(a.astype(np.float64) - b).max() for a, b in values)
        print(f"{output.name}: {ratio(values):.1f} dB, largest difference {largest:.4g}")
    first = {given.name: arrays[0]}
    for name, model in (("float", before), ("int8", after)):
        print(f"ONNX Runtime {name}: {milliseconds(lambda: model.run(None, first), options.rounds):.2f} ms")
    if options.tally:
        for name, path in (("float", options.float_model), ("int8", options.int8_model)):
            outputs, median = tally(options.tally, path, given.name, arrays[0], options.threads)
            print(f"Tally {name}: {median:.2f} ms")
        names = [output.name for output in before.get_outputs()]
        if len(names) == 1 and len(outputs) == 1:
            mine = next(iter(outputs.values()))
            print(f"Tally int8 against float: {ratio([(pairs[0][0][0], mine)]):.1f} dB")
            print(f"Tally int8 against ONNX Runtime's int8: {ratio([(pairs[0][1][0], mine)]):.1f} dB")


if __name__ == "__main__":
    main()

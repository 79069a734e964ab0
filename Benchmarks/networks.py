#!/usr/bin/env python3
"""One network, loaded and run by a peer in a process of its own; compare --network runs Tally beside it.

    Benchmarks/networks.py PEER FILE --shape NAME=1x3x640x640 [--threads N] [--runs N] [--answer FILE]
                           [--feed FOLDER]

Prints one JSON line: milliseconds to load, for the first run and for the median of the further ones. PEER is `onnxruntime`, `openvino` (float32) or `openvino-default` (what it chooses itself, bfloat16
where the processor has it).
"""

import argparse
import json
import statistics
import time


def feed(shape):
    """The same numbers for everybody: a plain congruential sequence over 0 ..< 1."""
    import numpy as np

    count = int(np.prod(shape))
    values = (np.arange(count, dtype=np.uint64) * np.uint64(2654435761) % np.uint64(2**32)).astype(np.float64)
    return (values / 2**32).astype(np.float32).reshape(shape)


def onnxruntime_session(options):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    session = onnxruntime.InferenceSession(options.model, settings, providers=["CPUExecutionProvider"])
    return lambda feeds: session.run(None, feeds)[0]


def openvino_session(options, shapes):
    import openvino

    core = openvino.Core()
    model = core.read_model(options.model)
    model.reshape(shapes)
    configuration = {"INFERENCE_NUM_THREADS": options.threads, "PERFORMANCE_HINT": "LATENCY"}
    if options.peer == "openvino":
        configuration["INFERENCE_PRECISION_HINT"] = "f32"
    request = core.compile_model(model, "CPU", configuration).create_infer_request()

    def run(feeds):
        request.infer(feeds)
        return request.get_output_tensor(0).data

    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=["onnxruntime", "openvino", "openvino-default"])
    parser.add_argument("model")
    parser.add_argument("--shape", action="append", required=True, metavar="NAME=SHAPE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--answer", metavar="FILE", help="where to write the first output")
    parser.add_argument("--feed", metavar="FOLDER", help="only write the inputs as NAME.npy")
    options = parser.parse_args()
    shapes = {name: [int(s) for s in shape.split("x")] for name, shape in (s.split("=") for s in options.shape)}
    feeds = {name: feed(shape) for name, shape in shapes.items()}
    if options.feed:
        import numpy as np

        for name, values in feeds.items():
            np.save(f"{options.feed}/{name}.npy", values)
        return
    start = time.perf_counter()
    run = onnxruntime_session(options) if options.peer == "onnxruntime" else openvino_session(options, shapes)
    loaded = time.perf_counter()
    answer = run(feeds)
    first = time.perf_counter()
    samples = []
    for _ in range(options.runs):
        before = time.perf_counter()
        run(feeds)
        samples.append(time.perf_counter() - before)
    if options.answer:
        import numpy as np

        np.save(options.answer, np.asarray(answer, dtype=np.float32))
    print(json.dumps({
        "median_ms": statistics.median(samples) * 1e3, "load_ms": (loaded - start) * 1e3,
        "first_ms": (first - loaded) * 1e3,
    }))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Text in photos for compare --text: RapidOCR on ONNX Runtime, stage by stage.

    Benchmarks/text.py PHOTO... [--models FOLDER] [--threads N] [--runs N]

Prints one JSON line a photo, as TextBenchmark does: the median milliseconds of each stage and of the whole, those of the
first run, and the lines read. Stages are timed around RapidOCR's own functions; its default configuration but for the
number of threads, which OpenCV gets too. Run it with a Python that has Fixtures/requirements-text.txt.
"""

import argparse
import collections
import json
import pathlib
import statistics
import time

import cv2
import numpy as np
from rapidocr_onnxruntime import RapidOCR

NAMES = {"det": "ch_PP-OCRv4_det_infer.onnx", "cls": "ch_ppocr_mobile_v2.0_cls_infer.onnx",
         "rec": "ch_PP-OCRv4_rec_infer.onnx"}


class Clock:
    """Adds up what functions take, until it is read."""

    def __init__(self):
        self.times = collections.Counter()

    def around(self, stage, function):
        def timed(*arguments, **named):
            start = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.times[stage] += 1e3 * (time.perf_counter() - start)

        return timed

    def read(self):
        times, self.times = dict(self.times), collections.Counter()
        return times


def instrumented(engine, clock):
    """The engine's stages, timed: what a stage does within another is taken off afterwards."""
    engine.text_det.postprocess_op = clock.around("regions", engine.text_det.postprocess_op)
    engine.auto_text_det = clock.around("found", engine.auto_text_det)
    engine.preprocess = clock.around("prepared", engine.preprocess)
    engine.get_crop_img_list = clock.around("crops", engine.get_crop_img_list)
    engine.text_cls = clock.around("orientation", engine.text_cls)
    engine.text_rec = clock.around("recognition", engine.text_rec)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    paths = {} if options.models is None else {
        f"{part}_model_path": str(options.models / name) for part, name in NAMES.items()}
    engine = RapidOCR(intra_op_num_threads=options.threads, inter_op_num_threads=1, **paths)
    clock = Clock()
    instrumented(engine, clock)
    for photo in options.photos:
        image = cv2.imread(photo)
        times = collections.defaultdict(list)
        for run in range(options.runs + 1):
            start = time.perf_counter()
            found, _ = engine(image)
            total = 1e3 * (time.perf_counter() - start)
            stages = clock.read()
            # As ours: what finding regions in the map takes is a stage of its own.
            stages["detection"] = stages.pop("found", 0) + stages.pop("prepared", 0) - stages.get("regions", 0)
            if run == 0:
                first = total
                continue
            times["total"].append(total)
            for stage, value in stages.items():
                times[stage].append(value)
        median = {stage: statistics.median(values) for stage, values in times.items()}
        lines = [{"quad": np.asarray(q).tolist(), "text": t, "confidence": c} for q, t, c in found or []]
        print(json.dumps({"photo": pathlib.Path(photo).name, "median": {**median, "first": first}, "lines": lines}))


if __name__ == "__main__":
    main()

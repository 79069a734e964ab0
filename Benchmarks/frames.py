#!/usr/bin/env python3
"""Frames of a bookshelf for compare --frames: makes them, looks for quadrilaterals with OpenCV, and scores what is found.

    Benchmarks/frames.py make PHOTOS FOLDER
    Benchmarks/frames.py opencv FOLDER [--half] [--runs N]
    Benchmarks/frames.py score FOLDER < FOUND
    Benchmarks/frames.py rapidocr FOLDER MODELS [--seconds N] [--frame-rate N]
    Benchmarks/frames.py titles < LINES

`make` fits each photo that has marks in Fixtures/Truth/spine_quads.json to 1920x1080 (or 1080x1920), cut at the sides,
and writes it as PNG with truth.json. `opencv` prints one JSON line a frame: the median milliseconds of Canny, contours
and approxPolyDP on one thread, and the convex quadrilaterals, of those that overlap the largest. With --half the frame
is halved first. The settings are those of the best F1 among 96 on these very frames, for each size its own.
`score` reads {"frame": [quadrilateral, ...]} and prints how many were found, how many are marked, and how many marked
ones share half of the union with one found.

`make` also writes FOLDER/pan/scene.png: the photos side by side, 1080 pixels high. A camera pans over it, there and back.
`rapidocr` reads whole frames of that pan with RapidOCR on two threads, each time the newest one, and prints how many it
had time for, and all lines. `titles` prints how many titles in Fixtures/Truth/shelf_titles.json stand in [[line, ...], ...].
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import time

import cv2
import numpy as np

MARKS = pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "Truth"
TRUTH, TITLES = MARKS / "spine_quads.json", MARKS / "shelf_titles.json"
# blur, Canny's thresholds, how far approxPolyDP may be off as a share of the outline
FULL, HALF = (5, 20, 60, 0.02), (0, 50, 150, 0.02)


def area(quad):
    return abs(cv2.contourArea(quad))


def iou(a, b):
    shared = cv2.intersectConvexConvex(a, b)[0]
    return shared / (area(a) + area(b) - shared)


def make(photos, folder):
    truth, scene = {}, []
    folder.mkdir(parents=True, exist_ok=True)
    for name, marked in json.loads(TRUTH.read_text()).items():
        image = cv2.imread(str(photos / name))
        if image is None:
            sys.exit(f"frames: error: {photos / name} cannot be read")
        height, width = image.shape[:2]
        scene.append(cv2.resize(image, (round(width * 1080 / height), 1080), interpolation=cv2.INTER_AREA))
        size = (1920, 1080) if width > height else (1080, 1920)
        scale = max(size[0] / width, size[1] / height)
        image = cv2.resize(image, (round(width * scale), round(height * scale)),
                           interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        left, top = (image.shape[1] - size[0]) // 2, (image.shape[0] - size[1]) // 2
        frame = np.float32([[0, 0], [size[0], 0], [*size], [0, size[1]]])
        quads = []
        for spine in marked["spines"]:
            quad = np.float32(spine) * scale - np.float32([left, top])
            shared, seen = cv2.intersectConvexConvex(quad, frame)
            # What the frame cuts in half is no spine to find.
            if shared > area(quad) / 2:
                quads.append(seen.reshape(-1, 2).tolist())
        out = pathlib.Path(name).with_suffix(".png").name
        cv2.imwrite(str(folder / out), image[top:top + size[1], left:left + size[0]])
        truth[out] = quads
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "pan").mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "pan" / "scene.png"), np.concatenate(scene, 1))


def quadrilaterals(image, half):
    blur, low, high, tolerance = HALF if half else FULL
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if half:
        grey = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    if blur:
        grey = cv2.GaussianBlur(grey, (blur, blur), 0)
    edges = cv2.dilate(cv2.Canny(grey, low, high), np.ones((3, 3), np.uint8))
    scale = 2 if half else 1
    found = []
    for contour in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        if cv2.arcLength(contour, False) < 60:
            continue
        quad = cv2.approxPolyDP(contour, tolerance * cv2.arcLength(contour, True), True)
        if len(quad) == 4 and cv2.isContourConvex(quad):
            quad = quad.reshape(4, 2).astype(np.float32) * scale
            if area(quad) > 1000:
                found.append(quad)
    kept = []
    for quad in sorted(found, key=area, reverse=True):
        if all(iou(quad, other) <= 0.5 for other in kept):
            kept.append(quad)
    return kept


def opencv(folder, half, runs):
    cv2.setNumThreads(1)
    for name in json.loads((folder / "truth.json").read_text()):
        image = cv2.imread(str(folder / name))
        found = quadrilaterals(image, half)
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            quadrilaterals(image, half)
            times.append(1e3 * (time.perf_counter() - start))
        print(json.dumps({"frame": name, "opencv": statistics.median(times), "found": [q.tolist() for q in found]}))


def score(folder, found):
    truth = json.loads((folder / "truth.json").read_text())
    counts = {"found": 0, "marked": 0, "right": 0}
    for name, marked in truth.items():
        quads = [np.float32(q) for q in found[name]]
        counts["found"] += len(quads)
        counts["marked"] += len(marked)
        counts["right"] += sum(any(iou(np.float32(m), q) >= 0.5 for q in quads) for m in marked)
    print(json.dumps(counts))


def rapidocr(folder, models, seconds, rate):
    """The frames of the pan that RapidOCR has time for, and what it reads in them."""
    from rapidocr_onnxruntime import RapidOCR

    names = {"det": "ch_PP-OCRv4_det_infer.onnx", "cls": "ch_ppocr_mobile_v2.0_cls_infer.onnx",
             "rec": "ch_PP-OCRv4_rec_infer.onnx"}
    paths = {f"{part}_model_path": str(models / name) for part, name in names.items()}
    engine = RapidOCR(intra_op_num_threads=2, inter_op_num_threads=1, **paths)
    scene = cv2.imread(str(folder / "pan" / "scene.png"))
    height, width = scene.shape[:2]
    view = min(width, height * 16 // 9)
    count, lines, times = seconds * rate, [], []
    engine(scene[:, :view])
    start = time.perf_counter()
    while (index := int((time.perf_counter() - start) * rate)) < count:
        left = int((1 - abs(1 - 2 * index / count)) * (width - view))
        before = time.perf_counter()
        result, _ = engine(np.ascontiguousarray(scene[:, left:left + view]))
        times.append(1e3 * (time.perf_counter() - before))
        lines += [[line[1]] for line in result or []]
    print(json.dumps({"frames": count, "analyzed": len(times), "mean": statistics.mean(times),
                      "p95": sorted(times)[int(0.95 * len(times))], "lines": lines}))


def titles(lines):
    """How many marked titles stand in what was read on one object or in one line, letters and digits only."""
    plain = lambda text: re.sub(r"[\W_]", "", text.lower())
    read = "|".join(plain("".join(group)) for group in lines)
    marked = json.loads(TITLES.read_text())
    wanted = [plain(title) for name in json.loads(TRUTH.read_text()) for title in marked[name]["titles"] if title]
    print(json.dumps({"right": sum(title in read for title in wanted), "marked": len(wanted)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("make")
    command.add_argument("photos", type=pathlib.Path)
    command.add_argument("folder", type=pathlib.Path)
    command = commands.add_parser("opencv")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("--half", action="store_true")
    command.add_argument("--runs", type=int, default=15)
    command = commands.add_parser("score")
    command.add_argument("folder", type=pathlib.Path)
    command = commands.add_parser("rapidocr")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("models", type=pathlib.Path)
    command.add_argument("--seconds", type=int, default=20)
    command.add_argument("--frame-rate", type=int, default=30)
    commands.add_parser("titles")
    options = parser.parse_args()
    if options.command == "make":
        make(options.photos, options.folder)
    elif options.command == "opencv":
        opencv(options.folder, options.half, options.runs)
    elif options.command == "score":
        score(options.folder, json.load(sys.stdin))
    elif options.command == "rapidocr":
        rapidocr(options.folder, options.models, options.seconds, options.frame_rate)
    else:
        titles(json.load(sys.stdin))


if __name__ == "__main__":
    main()

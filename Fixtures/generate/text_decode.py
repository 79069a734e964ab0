"""Writes Fixtures/Goldens/TextDecode: what RapidOCR makes of maps and rows of probabilities.

Run from the top of the checkout, in a virtual environment of Fixtures/requirements-text.txt:
python Fixtures/generate/text_decode.py
"""

import numpy as np
from rapidocr_onnxruntime.ch_ppocr_det.text_detect import TextDetector
from rapidocr_onnxruntime.ch_ppocr_det.utils import DBPostProcess
from rapidocr_onnxruntime.ch_ppocr_rec.utils import CTCLabelDecode
from rapidocr_onnxruntime.main import RapidOCR

from common import seeded

F = np.float32


def text_map(seed, width, height, bars, specks):
    """A map of turned bars over noise; TextDecodeTests/Samples.swift makes the same."""
    u = seeded.units32(seed, width * height).reshape(height, width)
    values = u * F(0.29)
    places = seeded.units32(seed + 1000, bars * 6).reshape(bars, 6)
    y, x = np.mgrid[0:height, 0:width]
    for bar in places:
        cx, cy = int(bar[0] * F(width)), int(bar[1] * F(height))
        a, b = int(bar[2] * F(41)) - 20, int(bar[3] * F(41)) - 20
        if a == 0 and b == 0:
            a = 1
        norm = int(np.sqrt(np.float64(a * a + b * b)))
        along, across = int(bar[4] * F(width // 6)) * norm, (1 + int(bar[5] * F(8))) * norm
        dx, dy = x - cx, y - cy
        inside = (abs(dx * a + dy * b) <= along) & (abs(dy * a - dx * b) <= across)
        values[inside] = F(0.45) + u[inside] * F(0.55)
    dots = seeded.units32(seed + 2000, specks * 2).reshape(specks, 2)
    for speck in dots:
        values[int(speck[1] * F(height)), int(speck[0] * F(width))] = F(1)
    return values


def regions(values, decoder, image_width, image_height):
    process = DBPostProcess(
        thresh=decoder["threshold"], box_thresh=decoder["minimumScore"],
        unclip_ratio=decoder["unclipRatio"], max_candidates=decoder["maximumCandidates"],
        use_dilation=decoder["dilates"],
    )  # fmt: skip
    boxes, scores = process(values[None, None], (image_height, image_width))
    detector = TextDetector.__new__(TextDetector)
    found = []
    for box, score in zip(boxes, scores):
        kept = detector.filter_tag_det_res(box[None], (image_height, image_width))
        if len(kept):
            found.append((kept[0], score))
    order = []
    if found:
        placed = RapidOCR.sorted_boxes(np.array([box for box, _ in found]))
        order = [[int(v) for v in box.ravel()] for box in placed]
    return [[int(v) for v in box.ravel()] + [float(score)] for box, score in found], order


def map_cases():
    default = {"threshold": 0.3, "minimumScore": 0.5, "unclipRatio": 1.6, "maximumCandidates": 1000, "dilates": True}
    for seed in range(40):
        decoder = dict(default)
        if seed % 4 == 1:
            decoder.update(dilates=False, minimumScore=0.6)
        if seed % 4 == 2:
            decoder.update(threshold=0.5, unclipRatio=2.0)
        if seed % 8 == 7:
            decoder.update(maximumCandidates=20)
        width, height = 224 + 32 * (seed % 5), 160 + 32 * (seed % 7)
        image_width, image_height = width * (2 + seed % 3) // 2, height * (3 + seed % 4) // 3
        bars, specks = 8 + seed % 9, [0, 5, 60, 400][seed // 10]
        values = text_map(seed, width, height, bars, specks)
        found, order = regions(values, decoder, image_width, image_height)
        yield {
            "seed": seed, "width": width, "height": height, "bars": bars, "specks": specks,
            "imageWidth": image_width, "imageHeight": image_height, "decoder": decoder,
            "regions": found, "order": order,
        }  # fmt: skip


def line_cases():
    """Rows of few classes, so that repeats, blanks and ties are common."""
    for seed in range(60):
        classes, steps = 3 + seed % 24, seed % 30
        u = seeded.units32(seed, steps * classes).reshape(1, steps, classes)
        u = np.floor(u * F(16)) * F(1 / 16)
        u[:, :, 0] += F(0.25) * (seed % 3)
        characters = [chr(97 + i) for i in range(classes - 2)]
        if steps == 0:
            text, confidence = "", 0.0
        else:
            text, confidence = CTCLabelDecode(character=characters)(u)[0]
        yield {"seed": seed, "classes": classes, "steps": steps, "text": text, "confidence": confidence}


if __name__ == "__main__":
    seeded.write("TextDecode/maps.json", list(map_cases()))
    seeded.write("TextDecode/lines.json", list(line_cases()))

"""Writes Fixtures/Goldens/Tracking/line_zones.json and polygon_zones.json: what supervision's LineZone and PolygonZone answer.

Run from the top of the checkout, with requirements-tracking.txt: python Fixtures/generate/tracking_zones.py
"""

import cv2
import numpy as np
import supervision as sv

from common import seeded

POSITIONS = {
    "topLeft": sv.Position.TOP_LEFT, "topCenter": sv.Position.TOP_CENTER,
    "topRight": sv.Position.TOP_RIGHT, "centerLeft": sv.Position.CENTER_LEFT,
    "center": sv.Position.CENTER, "centerRight": sv.Position.CENTER_RIGHT,
    "bottomLeft": sv.Position.BOTTOM_LEFT, "bottomCenter": sv.Position.BOTTOM_CENTER,
    "bottomRight": sv.Position.BOTTOM_RIGHT,
}  # fmt: skip
CORNERS = ["topLeft", "topRight", "bottomRight", "bottomLeft"]


def walks(seed, objects, frames, whole):
    """Boxes that wander about a frame of 200 by 200, some missing for a while; a list a frame.

    Sides are even whole numbers, so that centres are whole too, or else parts of pixels, so that
    no anchor is on a line.
    """
    u = iter(seeded.units(seed, 12 * objects * frames + 100))
    state = [[next(u) * 200, next(u) * 200, next(u) * 8 - 4, next(u) * 8 - 4,
              2 * round(next(u) * 10 + 2), 2 * round(next(u) * 10 + 2), 0]
             for _ in range(objects)]  # fmt: skip
    result = []
    for _ in range(frames):
        boxes = []
        for index, one in enumerate(state):
            # A shake, larger than the step, so that objects jitter on lines.
            x, y = (one[k] + (next(u) - 0.5) * 16 for k in (0, 1))
            for k in (0, 1):
                one[k] += one[k + 2]
                if not 0 <= one[k] <= 200:
                    one[k + 2] = -one[k + 2]
            one[6] = one[6] - 1 if one[6] > 0 else int(next(u) * 7) if next(u) < 0.06 else 0
            if one[6] > 0:
                continue
            left, top = (round(x), round(y)) if whole else (round(x) + 0.375, round(y) + 0.75)
            boxes.append([index + 1, left, top, left + one[4], top + one[5]])
        result.append(boxes)
    return result


def detections(boxes):
    if not boxes:
        return sv.Detections.empty()
    table = np.array(boxes, dtype=np.float64)
    return sv.Detections(xyxy=table[:, 1:], tracker_id=table[:, 0].astype(int))


def lines():
    frames = walks(100, 20, 200, whole=False)
    zones = []
    for start, end, anchors, threshold in [
        ((0, 100), (200, 100), CORNERS, 1), ((0, 100), (200, 100), ["bottomCenter"], 1),
        ((20, 180), (170, 30), ["center"], 3), ((150, 120), (60, 70), CORNERS, 2),
        ((100, 200), (100, 0), ["topCenter", "bottomCenter"], 4),
        ((100, 0), (100, 200), ["centerLeft", "topRight"], 1),
        ((31, 47), (180, 111), ["bottomLeft", "centerRight", "bottomRight"], 2),
    ]:  # fmt: skip
        zone = sv.LineZone(sv.Point(*start), sv.Point(*end), [POSITIONS[a] for a in anchors], threshold)
        crossings = []
        for boxes in frames:
            inward, outward = zone.trigger(detections(boxes))
            crossings.append([[one[0], 1 if i else -1]
                              for one, i, o in zip(boxes, inward, outward) if i or o])  # fmt: skip
        assert zone.in_count > 0 and zone.out_count > 0
        zones.append({"start": start, "end": end, "anchors": anchors, "minimumFrames": threshold,
                      "maximumMisses": max(1, threshold), "crossings": crossings,
                      "inCount": zone.in_count, "outCount": zone.out_count})  # fmt: skip
    return {"frames": frames, "zones": zones}


def polygons():
    for seed, (corners, anchors) in enumerate([
        ([[40, 40], [160, 40], [160, 160], [40, 160]], ["bottomCenter"]),
        ([[100, 10], [190, 180], [10, 150]], ["center"]),
        ([[20, 20], [180, 30], [100, 90], [170, 180], [30, 170]], CORNERS),
        ([[10, 100], [60, 20], [140, 60], [190, 10], [150, 190]], ["topCenter", "centerLeft"]),
    ]):  # fmt: skip
        polygon = np.array(corners)
        names = [POSITIONS[a] for a in anchors]
        zone = sv.PolygonZone(polygon, names)
        frames, inside = [], []
        for boxes in walks(200 + seed, 12, 60, whole=True):
            # The peer's polygon is made of whole pixels: anchors on its border are left out.
            clear = [one for one in boxes if all(
                abs(cv2.pointPolygonTest(polygon, tuple(map(float, point[0])), True)) > 1.5
                for point in (detections([one]).get_anchors_coordinates(name) for name in names))]  # fmt: skip
            frames.append(clear)
            hits = zone.trigger(detections(clear))
            inside.append([one[0] for one, hit in zip(clear, hits) if hit])
        assert 50 < sum(map(len, inside)) < 600
        yield {"corners": corners, "anchors": anchors, "frames": frames, "inside": inside}


def main():
    seeded.write("Tracking/line_zones.json", lines())
    seeded.write("Tracking/polygon_zones.json", list(polygons()))


if __name__ == "__main__":
    main()

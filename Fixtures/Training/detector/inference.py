"""Detections of an exported model in pictures, as Tally's pipeline makes them."""

import cv2
import numpy as np
import onnxruntime

STRIDES = (8, 16, 32)


class Session:
    """A YOLOX network in ONNX Runtime; raw or self-made heads alike, any class count."""

    def __init__(self, path: str, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(path, options,
                                                    providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name
        self.size = int(self.session.get_inputs()[0].shape[-1])
        y, x, s = [], [], []
        for stride in STRIDES:
            n = self.size // stride
            gy, gx = np.mgrid[0:n, 0:n]
            x.append(gx.ravel())
            y.append(gy.ravel())
            s.append(np.full(n * n, stride))
        self.x, self.y, self.stride = (np.concatenate(v).astype(np.float32) for v in (x, y, s))

    def detect(self, image: np.ndarray, least: float, overlap: float) -> np.ndarray:
        """Boxes `x0, y0, x1, y1, score` in pixels of the picture, best first."""
        height, width = image.shape[:2]
        ratio = min(self.size / height, self.size / width)
        small = cv2.resize(image, (int(width * ratio), int(height * ratio)))
        canvas = np.full((self.size, self.size, 3), 114, np.uint8)
        canvas[:small.shape[0], :small.shape[1]] = small
        tensor = canvas.transpose(2, 0, 1)[None].astype(np.float32)
        out = self.session.run(None, {self.input: tensor})[0][0]
        if out[:, 4].min() < 0 or out[:, 4].max() > 1:  # exported without the closing sigmoid
            out[:, 4:] = 1 / (1 + np.exp(-out[:, 4:]))
        score = out[:, 4] * out[:, 5:].max(1)
        keep = score >= least
        out, score = out[keep], score[keep]
        x, y, stride = self.x[keep], self.y[keep], self.stride[keep]
        cx, cy = (out[:, 0] + x) * stride, (out[:, 1] + y) * stride
        w, h = np.exp(out[:, 2]) * stride / 2, np.exp(out[:, 3]) * stride / 2
        found = np.stack([cx - w, cy - h, cx + w, cy + h], 1) / ratio
        found = np.concatenate([found, score[:, None]], 1)
        return suppressed(found[np.argsort(-found[:, 4], kind="stable")], overlap)


def suppressed(found: np.ndarray, overlap: float) -> np.ndarray:
    """Greedy suppression of boxes that overlap a better one by more than `overlap`."""
    kept = []
    while len(found):
        kept.append(found[0])
        found = found[1:][overlaps(found[0], found[1:]) <= overlap]
    return np.array(kept, np.float32).reshape(-1, 5)


def overlaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of one box with many."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:4], others[:, 2:4])
    inner = np.clip(high - low, 0, None).prod(1)
    area = np.prod(box[2:4] - box[:2])
    return inner / (area + (others[:, 2:4] - others[:, :2]).prod(1) - inner + 1e-9)

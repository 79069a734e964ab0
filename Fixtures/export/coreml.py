#!/usr/bin/env python
"""Converts detectors, embedders and classifiers in ONNX to Core ML, for the adapters of AppleVision.

    python -m venv /tmp/coreml && /tmp/coreml/bin/pip install -r Fixtures/export/requirements-coreml.txt
    /tmp/coreml/bin/python Fixtures/export/coreml.py MODEL.onnx... --out FOLDER

Without a model, the bundled detector and embedder are converted. Each becomes FOLDER/NAME.mlpackage, an ML program for
iOS 15 and macOS 12 or later. Its input `image` is an image: order of the channels, mean and deviation are inside.

- A YOLOX, which answers [1, N, 5 + C], N the cells of its input, has the output `candidates`: the same rows, with
  probabilities for scores. The image is BGR inside.
- An embedder, which answers [N, D], has the output `embedding`, [1, D].
- A classifier, which answers [N, C] and has C names in its metadata or in --labels, has the outputs `label` and
  `label_probs`, as Vision wants them.

It runs on any computer, but Core ML does not. So it checks what it can: the network in PyTorch against ONNX Runtime on
a photo, the declaration of the written package, and its program, read again and computed by ml_program.py. What Core ML
itself answers is not known before an Apple device runs it. Prints a line for each model. If a file cannot be converted
or answers differently, it prints why and ends with code 1.
"""

import argparse
import ast
import json
import logging
import os
import pathlib
import shutil
import sys
import warnings

os.environ["TQDM_DISABLE"] = "1"
logging.disable(logging.WARNING)  # that parts of coremltools are for macOS only
warnings.simplefilter("ignore")

import coremltools as ct
import ml_program
import numpy as np
import onnx
import onnxruntime
import torch
from onnx_network import Network, Unfit, one_line, simplified
from PIL import Image

onnxruntime.set_default_logger_severity(4)  # what is wrong with a file is said once, by this script

TOP = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = TOP / "Sources/Reference/ReferenceModels/Resources"
PHOTO = TOP / "Fixtures/Images/coins.png"
# Of pixels of 0...255: what is taken off, and what the rest is divided by. As CropPreprocessing and
# ClassifierPreprocessing have them.
PRESETS = {
    "raw": ([0], [1]),
    "unit": ([0], [255]),
    "signed": ([127.5], [127.5]),
    "stretched": ([127.5], [63.75]),
    "imagenet": ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375]),
    "clip": ([122.7709383, 116.7460125, 104.0937362], [68.5005327, 66.6322579, 70.3231631]),
}
PRESETS["imagenet-bicubic"] = PRESETS["imagenet"]
ATTENTION = {"Attention", "MultiHeadAttention", "Softmax"}
BUNDLED = {
    "countable.onnx": "Finds things to count, of one class.",
    "likeness.onnx": "Turns a crop of a thing into a vector; things of one kind have similar ones.",
}
MARGIN = 114
# The most that an answer may differ from ONNX Runtime's: probabilities, or what a cosine lacks to 1. The second is for
# weights rounded to float16 (of YOLOX-Nano's 300,000 scores the worst is 0.03 away). What else rounding costs is
# printed, and no reason to refuse.
EXACT = 1e-3
ROUNDED_WEIGHTS = {"detector": 0.1, "embedder": 1e-3, "classifier": 0.03}


class Task:
    """What a model is for, and how a photo becomes its input."""

    def __init__(self, path: str, options: argparse.Namespace) -> None:
        self.path = path
        self.model = onnx.load(path)
        self.properties = {p.key: p.value for p in self.model.metadata_props}
        self.session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0]
        sides = zip(self.input.shape[2:], options.size or (None, None), strict=True)
        self.height, self.width = (side if isinstance(side, int) else asked for side, asked in sides)
        blank = np.zeros((1, 3, self.height, self.width), np.float32)
        answer = self.ask(blank)
        self.names = names_of(options.labels, self.properties)
        self.shape = answer.shape
        if answer.ndim == 3 and answer.shape[2] > 5 and answer.shape[1] == len(cells(self.width, self.height)):
            self.kind, self.count, preset = "detector", answer.shape[2] - 5, "raw"
        elif answer.ndim in (2, 4) and answer.size == answer.shape[1]:
            self.kind, self.count = "classifier" if self.names else "embedder", answer.size
            preset = self.properties.get("tally.preprocessing") or (
                "clip" if self.kind == "embedder" and self.has_attention() else "imagenet")
        else:
            raise Unfit(f"its output is {list(answer.shape)}: neither rows of a YOLOX, nor a vector")
        if self.kind == "embedder" and self.width != self.height:
            raise Unfit(f"an embedder takes a square, and this one takes {self.width} x {self.height} pixels")
        if self.names and len(self.names) != self.count:
            raise Unfit(f"it has {self.count} classes and {len(self.names)} names; there must be one for each")
        self.preset = options.preset or preset
        if self.preset not in PRESETS:
            raise Unfit(f"its metadata names the preprocessing '{self.preset}', which is not known")
        if self.kind == "detector" and self.preset != "raw":
            raise Unfit("a YOLOX takes pixels as they are; leave --preset out")
        self.photo = self.prepared(Image.open(options.photo).convert("RGB"))
        self.expected = self.ask(self.normalized(self.photo))
        scores = self.expected[0, :, 4:] if self.kind == "detector" else self.expected.reshape(-1)
        self.is_probability = bool(((scores >= 0) & (scores <= 1)).all()) and (
            self.kind != "classifier" or abs(scores.sum() - 1) < 0.01)
        self.is_decoded = self.kind == "detector" and lies_on_grid(self.expected[0], self.width, self.height)
        # As the package is to answer.
        if self.kind == "detector" and not self.is_probability:
            self.expected[..., 4:] = 1 / (1 + np.exp(-self.expected[..., 4:]))
        elif self.kind == "classifier" and not self.is_probability:
            powers = np.exp(self.expected - self.expected.max())
            self.expected = powers / powers.sum()

    def has_attention(self) -> bool:
        return any(node.op_type in ATTENTION for node in self.model.graph.node)

    def ask(self, planes: np.ndarray) -> np.ndarray:
        kind = np.float16 if self.input.type == "tensor(float16)" else np.float32
        try:
            return self.session.run(None, {self.input.name: planes.astype(kind)})[0].astype(np.float32)
        except Exception as error:
            raise Unfit(f"it does not run on one image of {self.width} x {self.height}: {one_line(error)}") from error

    def is_half(self) -> bool:
        return any(t.data_type == onnx.TensorProto.FLOAT16 for t in self.model.graph.initializer)

    def prepared(self, image: Image.Image) -> np.ndarray:
        """A photo as the package sees it: [1, 3, H, W], 0...255, in the order of its layout."""
        if self.kind == "detector":
            ratio = min(self.width / image.width, self.height / image.height)
            canvas = Image.new("RGB", (self.width, self.height), (MARGIN,) * 3)
            canvas.paste(image.resize((int(image.width * ratio), int(image.height * ratio)), Image.Resampling.BILINEAR))
            pixels = np.asarray(canvas)[..., ::-1]
        elif self.preset == "stretched" or self.width != self.height:
            pixels = np.asarray(image.resize((self.width, self.height), Image.Resampling.BICUBIC))
        else:
            side = min(image.size)
            left, top = (image.width - side) // 2, (image.height - side) // 2
            box = (left, top, left + side, top + side)
            pixels = np.asarray(image.resize((self.width, self.height), Image.Resampling.BICUBIC, box))
        return pixels.transpose(2, 0, 1)[None].astype(np.float32)

    def normalized(self, planes: np.ndarray) -> np.ndarray:
        mean, deviation = (np.array(values, np.float32).reshape(1, -1, 1, 1) for values in PRESETS[self.preset])
        return (planes - mean) / deviation

    def difference(self, answer: np.ndarray) -> tuple[float, str]:
        """By how much an answer for the photo differs from what ONNX Runtime says, as a number and in words."""
        if not np.isfinite(answer).all():
            return np.inf, "numbers that are not finite"
        if self.kind == "embedder":
            a, b = answer.reshape(-1).astype(np.float64), self.expected.reshape(-1).astype(np.float64)
            short = max(0.0, 1 - float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
            return short, f"cosine 1 - {short:.0e}"
        if self.kind == "classifier":
            worst = float(np.abs(answer.reshape(-1) - self.expected.reshape(-1)).max())
            return worst, f"probabilities within {worst:.0e}"
        worst = float(np.abs(answer[..., 4:] - self.expected[..., 4:]).max())
        scores = self.expected[0, :, 4] * self.expected[0, :, 5:].max(1)
        likely = scores > 0.1 if (scores > 0.1).any() else scores >= np.sort(scores)[-50]
        boxes = [corners(rows[0][likely], cells(self.width, self.height)[likely], self.is_decoded)
                 for rows in (answer, self.expected)]
        distance = float(np.abs(boxes[0] - boxes[1]).max())
        return worst, f"probabilities within {worst:.0e}, {likely.sum()} boxes within {distance:.1g} px"


def names_of(path: str | None, properties: dict[str, str]) -> list[str] | None:
    """The names of the classes: of a file, one a line or a list; or of the model's metadata."""
    keys = [key for key in ("names", "classes", "labels", "character") if key in properties]
    if path is None and not keys:
        return None
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8") if path else properties[keys[0]]
    except UnicodeDecodeError as error:
        raise Unfit(f"{path} is not text in UTF-8") from error
    if not text.lstrip().startswith(("[", "{")):
        return text.rstrip().splitlines()
    try:
        value = ast.literal_eval(text.strip())  # JSON of names is Python, too
        if isinstance(value, dict):
            numbered = {int(key): name for key, name in value.items()}
            value = [numbered[number] for number in range(len(numbered))]
        return [str(name) for name in value]
    except (ValueError, SyntaxError, KeyError) as error:
        raise Unfit(f"the names of its classes are not a list: {one_line(error)}") from error


def cells(width: int, height: int) -> np.ndarray:
    """Of each candidate of a YOLOX: column and row of its cell, and the stride."""
    maps = []
    for stride in (8, 16, 32):
        rows, columns = np.mgrid[: height // stride, : width // stride]
        maps.append(np.stack([columns.ravel(), rows.ravel(), np.full(rows.size, stride)], 1))
    return np.concatenate(maps)


def lies_on_grid(rows: np.ndarray, width: int, height: int) -> bool:
    """Whether the network decodes its boxes itself: their centers rise with the places of their cells."""
    grid = cells(width, height)
    places = (grid[:, :2] + 0.5) * grid[:, 2:]
    with np.errstate(invalid="ignore"):
        return all(np.corrcoef(rows[:, axis], places[:, axis])[0, 1] > 0.8 for axis in (0, 1))


def corners(rows: np.ndarray, grid: np.ndarray, is_decoded: bool) -> np.ndarray:
    """Boxes in pixels of the input."""
    centers, sides = rows[:, :2], rows[:, 2:4]
    if not is_decoded:
        centers, sides = (centers + grid[:, :2]) * grid[:, 2:], np.exp(sides) * grid[:, 2:]
    return np.concatenate([centers - sides / 2, centers + sides / 2], 1)


class Whole(torch.nn.Module):
    """From pixels of 0...255 to what the package answers."""

    def __init__(self, task: Task, network: Network) -> None:
        super().__init__()
        self.kind, self.network, self.is_probability = task.kind, network, task.is_probability
        self.is_raw = task.preset == "raw"
        mean, deviation = (torch.tensor(v, dtype=torch.float32).reshape(1, -1, 1, 1) for v in PRESETS[task.preset])
        self.register_buffer("mean", mean)
        self.register_buffer("factor", 1 / deviation)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        # The mean first: the difference is small, so that float16 keeps more of it.
        output = self.network(image if self.is_raw else (image - self.mean) * self.factor)
        if self.kind != "detector":
            output = output.reshape(1, -1)
        if self.is_probability or self.kind == "embedder":
            return output
        if self.kind == "classifier":
            return torch.softmax(output, 1)
        return torch.cat([output[..., :4], torch.sigmoid(output[..., 4:])], 2)


def converted(task: Task, whole: Whole, options: argparse.Namespace) -> ct.models.MLModel:
    shape = (1, 3, task.height, task.width)
    with torch.no_grad():
        traced = torch.jit.trace(whole, torch.from_numpy(task.photo), check_trace=False)
    layout = ct.colorlayout.BGR if task.kind == "detector" else ct.colorlayout.RGB
    arguments = {"outputs": [ct.TensorType(name={"detector": "candidates", "embedder": "embedding"}[task.kind])]} \
        if task.kind != "classifier" else {
            "classifier_config": ct.ClassifierConfig(task.names, predicted_feature_name="label")}
    package = ct.convert(
        traced, convert_to="mlprogram", minimum_deployment_target=ct.target.iOS15,
        inputs=[ct.ImageType(name="image", shape=shape, color_layout=layout)],
        compute_precision=ct.precision.FLOAT32 if options.float32 else ct.precision.FLOAT16, **arguments)
    describe(package, task, options)
    return package


def describe(package: ct.models.MLModel, task: Task, options: argparse.Namespace) -> None:
    """What Xcode shows of the model."""
    name = os.path.basename(task.path)
    own = BUNDLED.get(name) if pathlib.Path(task.path).resolve().parent == RESOURCES else None
    properties = task.properties
    package.short_description = options.description or own or properties.get("description") or {
        "detector": "Finds objects.", "embedder": "Turns an image into a vector.",
        "classifier": "Names what an image shows."}[task.kind]
    package.author = options.author or ("Tally" if own else "") or properties.get("author", "")
    package.license = options.licence or (
        "Apache-2.0; Docs/Models.md of Tally names what the model learnt from" if own
        else properties.get("licence") or properties.get("license", ""))
    package.user_defined_metadata["source"] = name
    names = task.names or (["thing"] if own and task.kind == "detector" else None)
    if names and task.kind == "detector":
        package.user_defined_metadata["names"] = json.dumps(names, ensure_ascii=False)
    package.input_description["image"] = {
        "detector": f"{task.width} x {task.height} pixels: the photo at the top left, the rest grey ({MARGIN})",
        "embedder": "A crop of one thing, " + (
            "stretched to a square" if task.preset == "stretched" else "the square in its middle"),
        "classifier": "A photo"}[task.kind]
    if task.kind == "detector":
        package.output_description["candidates"] = (
            f"A row for each cell: x, y, width, height {'in pixels' if task.is_decoded else 'relative to the cell'}, "
            f"objectness, and {task.count} class{'es' if task.count > 1 else ''}")
    elif task.kind == "embedder":
        package.output_description["embedding"] = "Similar things have similar directions"


def check_declaration(package: ct.models.MLModel, program, task: Task) -> None:
    """The written package declares the input and outputs that the adapters of AppleVision take."""
    description = package.get_spec().description
    (image,) = description.input
    kind = image.type.imageType
    layout = {20: "RGB", 30: "BGR"}.get(kind.colorSpace)  # the numbers of FeatureTypes.proto
    found = [image.name, kind.width, kind.height, layout]
    wanted = ["image", task.width, task.height, "BGR" if task.kind == "detector" else "RGB"]
    outputs = {value.name: list(value.type.multiArrayType.shape) for value in description.output}
    if task.kind == "classifier":
        expected = {"label": [], "label_probs": []}
        found.append(ml_program.class_names(program))
        wanted.append(task.names)
    else:
        name = "candidates" if task.kind == "detector" else "embedding"
        expected = {name: list(task.shape) if task.kind == "detector" else [1, task.count]}
    if found != wanted or outputs != expected:
        raise Unfit(f"the package declares {found} and {outputs}, not {wanted} and {expected}")


def convert(path: str, options: argparse.Namespace) -> str:
    """Converts a file and checks the result; one line says what came out."""
    folded = simplified(path, options.size)
    task = Task(path, options)
    whole = Whole(task, Network(folded)).eval()
    with torch.no_grad():
        answer = whole(torch.from_numpy(task.photo)).numpy()
    in_torch, torch_text = task.difference(answer)
    if in_torch > (ROUNDED_WEIGHTS[task.kind] if task.is_half() else EXACT):  # ONNX Runtime rounds as the file says
        raise Unfit(f"the network in PyTorch answers otherwise than ONNX Runtime: {torch_text}")

    target = os.path.join(options.out, os.path.splitext(os.path.basename(path))[0] + ".mlpackage")
    try:
        converted(task, whole, options).save(target)
    except Exception as error:
        raise Unfit(f"coremltools does not convert it: {type(error).__name__}: {one_line(error)}") from error
    try:
        package = ct.models.MLModel(target, skip_model_load=True)
        program = ml_program.program_of(package)
        check_declaration(package, program, task)
        limit = EXACT if options.float32 and not task.is_half() else ROUNDED_WEIGHTS[task.kind]
        in_program, program_text = task.difference(ml_program.run(program, task.photo, rounds=False))
        if in_program > limit:
            raise Unfit(f"the program answers otherwise than ONNX Runtime: {program_text}")
        if not options.float32:
            in_half, half_text = task.difference(ml_program.run(program, task.photo, rounds=True))
            if not np.isfinite(in_half):
                raise Unfit("its values are too large for float16; convert it with --float32")
            program_text += f" and, rounded to float16 throughout, {half_text}"
    except ml_program.Unknown as operation:
        program_text = f"not computed ({operation})"
    except Unfit:
        shutil.rmtree(target)
        raise
    size = sum(file.stat().st_size for file in pathlib.Path(target).rglob("*") if file.is_file())
    layout = "BGR" if task.kind == "detector" else f"RGB, {task.preset}"
    what = {"detector": f"candidates {list(task.shape)}{', boxes in pixels' if task.is_decoded else ''}",
            "embedder": f"embedding [1, {task.count}]", "classifier": f"label, of {task.count}"}[task.kind]
    return (f"{target}: {task.kind}, image {task.width} x {task.height} ({layout}), {what}, {size / 1e6:.1f} MB; "
            f"against ONNX Runtime: in PyTorch {torch_text}; the package's program {program_text}")


def sides(text: str) -> tuple[int, int]:
    width, height = (int(side) for side in text.lower().split("x"))
    return height, width


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="ONNX files; default: the bundled detector and embedder")
    parser.add_argument("--out", default=".", help="the folder for the packages; default: this one")
    parser.add_argument("--size", type=sides, metavar="WxH", help="of the input, if a model leaves it open")
    parser.add_argument("--preset", choices=sorted(PRESETS),
                        help="how pixels are normalized; default: what the file says, clip for a network with "
                             "attention, otherwise imagenet")
    parser.add_argument("--labels", help="a file with the names of the classes, one a line or a list")
    parser.add_argument("--float32", action="store_true", help="weights and arithmetic in float32 instead of float16")
    parser.add_argument("--photo", default=str(PHOTO), help="what the answers are compared on")
    parser.add_argument("--author", help="what Xcode shows; default: the model's metadata")
    parser.add_argument("--licence", help="the same")
    parser.add_argument("--description", help="the same")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    failed = False
    for path in options.models or [str(RESOURCES / name) for name in BUNDLED]:
        try:
            print(convert(path, options), flush=True)
        except (Unfit, OSError) as error:
            print(f"{path}: {one_line(error)}", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()

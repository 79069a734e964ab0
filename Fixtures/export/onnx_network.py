"""Reads an ONNX file as a PyTorch module, for images of one fixed size.

Only what detectors, embedders and classifiers are made of. ONNX Runtime folds constants and shapes first, so that the
operators that compute shapes are gone. All arithmetic becomes float32, also that of files in float16.
"""

import os
import tempfile

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper, numpy_helper
from torch.nn import functional


class Unfit(Exception):
    """A file that is damaged, or is not such a network; the text is one line."""


def simplified(path: str, size: tuple[int, int] | None) -> onnx.ModelProto:
    """The model with constants folded, for one image of fixed sides.

    `size` is height and width if the model leaves them open.
    """
    if not os.path.isfile(path):
        raise Unfit("there is no such file")
    try:
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime has many, of no common kind
        raise Unfit(f"it is no ONNX model that can be run: {one_line(error)}") from error
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1 or len(outputs) != 1:
        raise Unfit(f"it has {len(inputs)} inputs and {len(outputs)} outputs; one of each is converted")
    shape = inputs[0].shape
    if inputs[0].type not in ("tensor(float)", "tensor(float16)") or len(shape) != 4 or shape[1] != 3:
        raise Unfit(f"its input is {inputs[0].type} {shape}; [1, 3, H, W] of floating-point numbers is converted")
    if isinstance(shape[0], int) and shape[0] != 1:
        raise Unfit(f"it takes {shape[0]} images at once; one is converted")
    is_open = [not isinstance(side, int) for side in shape[2:]]
    if any(is_open) and size is None:
        raise Unfit("it takes images of any size; name one with --size")
    if size is not None and any(not o and s != a for o, s, a in zip(is_open, shape[2:], size, strict=True)):
        raise Unfit(f"it takes images of {shape[3]} x {shape[2]} pixels, and --size names another size")

    model = onnx.load(path)
    sides = [1, 3, *(size if any(is_open) else shape[2:])]
    for dimension, side in zip(model.graph.input[0].type.tensor_type.shape.dim, sides, strict=True):
        dimension.dim_value = side
    for value in (*model.graph.output, *model.graph.value_info):
        value.type.tensor_type.ClearField("shape")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 3
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = os.path.join(folder, "folded.onnx")
        try:
            onnxruntime.InferenceSession(
                model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            folded = onnx.load(options.optimized_model_filepath)
        except Exception as error:
            raise Unfit(f"it does not run on one image of {sides[3]} x {sides[2]}: {one_line(error)}") from error
    if len(folded.graph.input) != 1:
        raise Unfit("its weights are inputs")
    return folded


def one_line(error: Exception) -> str:
    """What an error says, without line breaks."""
    text = " ".join(str(error).split()).removeprefix("[ONNXRuntimeError] : ")
    return text if len(text) <= 200 else text[:197] + "..."


OPERATORS = {}
# What a function is told beside a node's attributes: the operator, and how many outputs the node has.
KIND, OUTPUTS = "the operator", "the outputs"


def operator(*names):
    def register(function):
        OPERATORS.update(dict.fromkeys(names, function))
        return function
    return register


class Network(torch.nn.Module):
    """The graph, node by node. Weights are float32 tensors, whole numbers are arrays that trace as constants."""

    def __init__(self, model: onnx.ModelProto) -> None:
        super().__init__()
        graph = model.graph
        self.input, self.output = graph.input[0].name, graph.output[0].name
        self.constants: dict[str, np.ndarray] = {}
        self.weights: dict[str, str] = {}
        for tensor in graph.initializer:
            self.keep(tensor.name, numpy_helper.to_array(tensor))
        self.nodes = []
        for node in graph.node:
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            if node.op_type == "Constant":
                value = attributes.get("value")
                if value is None:
                    value = np.array(next(iter(attributes.values())))
                else:
                    value = numpy_helper.to_array(value)
                self.keep(node.output[0], value)
            elif node.domain not in ("", "ai.onnx") or node.op_type not in OPERATORS:
                raise Unfit(f"the operator {node.domain + '.' if node.domain else ''}{node.op_type} is not converted")
            else:
                attributes |= {KIND: node.op_type, OUTPUTS: len(node.output)}
                self.nodes.append((OPERATORS[node.op_type], attributes, list(node.input), list(node.output)))

    def keep(self, name: str, value: np.ndarray) -> None:
        if value.dtype.kind == "f":
            self.weights[name] = f"w{len(self.weights)}"
            self.register_buffer(self.weights[name], torch.from_numpy(value.astype(np.float32)))
        else:
            self.constants[name] = value

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        values: dict = {"": None, self.input: image, **self.constants}
        values |= {name: getattr(self, buffer) for name, buffer in self.weights.items()}
        for run, attributes, inputs, outputs in self.nodes:
            answer = run(attributes, *[values[name] for name in inputs])
            values |= zip(outputs, answer if isinstance(answer, tuple) else (answer,), strict=False)
        return values[self.output]


def shape_of(x) -> list[int]:
    """As numbers, not as something that is traced."""
    return [int(side) for side in x.shape]


def numbers(value) -> list:
    """What an attribute or a constant input lists."""
    if isinstance(value, torch.Tensor):
        value = value.detach().numpy()
    return np.atleast_1d(np.asarray(value)).tolist()


def axes_of(attributes: dict, given, rank: int) -> list[int]:
    axes = attributes.get("axes") if given is None else given
    return list(range(rank)) if axes is None else [int(axis) for axis in numbers(axes)]


def padding(attributes: dict, x: torch.Tensor, kernel: list[int], strides: list[int], dilations: list[int]):
    """What is added before and after each side: [top, left, bottom, right]."""
    automatic = attributes.get("auto_pad", b"NOTSET")
    if automatic in (b"NOTSET", b""):
        return list(attributes.get("pads", [0, 0, 0, 0]))
    if automatic == b"VALID":
        return [0, 0, 0, 0]
    total = [
        max((-(-side // stride) - 1) * stride + (k - 1) * dilation + 1 - side, 0)
        for side, k, stride, dilation in zip(shape_of(x)[2:], kernel, strides, dilations, strict=True)
    ]
    less, more = [t // 2 for t in total], [t - t // 2 for t in total]
    return [*less, *more] if automatic == b"SAME_UPPER" else [*more, *less]


def is_even(pads: list[int]) -> bool:
    return pads[:2] == pads[2:]


@operator("Conv")
def convolution(a, x, weight, bias=None):
    kernel = shape_of(weight)[2:]
    if len(kernel) != 2:
        raise Unfit(f"a convolution has {len(kernel)} dimensions, not 2")
    strides, dilations = list(a.get("strides", [1, 1])), list(a.get("dilations", [1, 1]))
    pads = padding(a, x, kernel, strides, dilations)
    if not is_even(pads):
        x, pads = functional.pad(x, (pads[1], pads[3], pads[0], pads[2])), [0, 0]
    return functional.conv2d(x, weight, bias, strides, pads[:2], dilations, a.get("group", 1))


@operator("MaxPool", "AveragePool")
def pool(a, x):
    kernel, strides = list(a["kernel_shape"]), list(a.get("strides", [1, 1]))
    pads = padding(a, x, kernel, strides, [1, 1])
    if not is_even(pads) or any(d != 1 for d in a.get("dilations", [])):
        raise Unfit("a pooling pads one side more than the other, or is dilated")
    is_ceiling = bool(a.get("ceil_mode", 0))
    if a[KIND] == "MaxPool":
        return functional.max_pool2d(x, kernel, strides, pads[:2], ceil_mode=is_ceiling)
    return functional.avg_pool2d(x, kernel, strides, pads[:2], is_ceiling, bool(a.get("count_include_pad", 0)))


@operator("GlobalAveragePool")
def global_average(a, x):
    return x.mean((2, 3), keepdim=True)


@operator("BatchNormalization")
def batch_normalization(a, x, scale, bias, mean, variance):
    return functional.batch_norm(x, mean, variance, scale, bias, eps=a.get("epsilon", 1e-5))


@operator("LayerNormalization")
def layer_normalization(a, x, scale, bias=None):
    axis = a.get("axis", -1)
    return functional.layer_norm(x, shape_of(x)[axis:], scale, bias, a.get("epsilon", 1e-5))


@operator("Gemm")
def gemm(a, x, y, bias=None):
    x, y = (x.t() if a.get("transA") else x), (y.t() if a.get("transB") else y)
    alpha, beta = a.get("alpha", 1.0), a.get("beta", 1.0)
    result = torch.matmul(x, y)
    result = result if alpha == 1 else result * alpha
    return result if bias is None else result + (bias if beta == 1 else bias * beta)


@operator("MatMul")
def product(a, x, y):
    return torch.matmul(x, y)


@operator("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min")
def of_two(a, x, y):
    return TWO[a[KIND]](*(torch.as_tensor(v).float() for v in (x, y)))


TWO = {
    "Add": torch.add, "Sub": torch.sub, "Mul": torch.mul, "Div": torch.div, "Pow": torch.pow,
    "Max": torch.maximum, "Min": torch.minimum,
}
ONE = {
    "Relu": torch.relu, "Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "Erf": torch.erf, "Sqrt": torch.sqrt,
    "Exp": torch.exp, "Neg": torch.neg, "Abs": torch.abs, "Reciprocal": lambda x: 1 / x,
    "HardSwish": functional.hardswish, "Softplus": functional.softplus, "Mish": functional.mish,
    "Identity": lambda x: x,
}


@operator(*ONE)
def of_one(a, x):
    return ONE[a[KIND]](x)


@operator("Dropout")
def nothing(a, x, *rest):
    return x


@operator("Cast")
def cast(a, x):
    if isinstance(x, torch.Tensor):  # all that is not a whole number is float32
        return x.float()
    return torch.from_numpy(x).float() if a["to"] in FLOATS else x


FLOATS = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.DOUBLE, onnx.TensorProto.BFLOAT16)


@operator("Clip")
def clip(a, x, least=None, most=None):
    least = a.get("min") if least is None else numbers(least)[0]
    most = a.get("max") if most is None else numbers(most)[0]
    return torch.clamp(x, least, most)


@operator("HardSigmoid")
def hard_sigmoid(a, x):
    return torch.clamp(x * a.get("alpha", 0.2) + a.get("beta", 0.5), 0, 1)


@operator("LeakyRelu")
def leaky(a, x):
    return functional.leaky_relu(x, a.get("alpha", 0.01))


@operator("Gelu")
def gelu(a, x):
    return functional.gelu(x, approximate=a.get("approximate", b"none").decode())


@operator("Softmax")
def softmax(a, x):
    return torch.softmax(x, a.get("axis", -1))


@operator("ReduceMean", "ReduceSum", "ReduceL2", "ReduceMax")
def reduction(a, x, axes=None):
    axes, keep = axes_of(a, axes, x.dim()), bool(a.get("keepdims", 1))
    if a[KIND] == "ReduceL2":
        return (x * x).sum(axes, keepdim=keep).sqrt()
    return {"ReduceMean": torch.mean, "ReduceSum": torch.sum, "ReduceMax": torch.amax}[a[KIND]](x, axes, keepdim=keep)


@operator("Concat")
def concatenation(a, *parts):
    return torch.cat([torch.as_tensor(part).float() for part in parts], a["axis"])


@operator("Split")
def split(a, x, sizes=None):
    sizes, axis = a.get("split") if sizes is None else numbers(sizes), a.get("axis", 0)
    if sizes is None:
        side, count = shape_of(x)[axis], a[OUTPUTS]
        sizes = [min(-(-side // count), side - -(-side // count) * n) for n in range(count)]
    return tuple(torch.split(x, list(sizes), axis))


@operator("Slice")
def part(a, x, starts=None, ends=None, axes=None, steps=None):
    starts = numbers(a["starts"] if starts is None else starts)
    ends = numbers(a["ends"] if ends is None else ends)
    axes = axes_of(a, axes, len(starts))
    steps = [1] * len(starts) if steps is None else numbers(steps)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        if step < 1:
            raise Unfit("a slice goes backwards")
        first, last, _ = slice(start, end).indices(shape_of(x)[axis])
        x = x[(slice(None),) * (axis % x.dim()) + (slice(first, last, step),)]
    return x


@operator("SpaceToDepth")
def space_to_depth(a, x):
    step = a["blocksize"]
    return torch.cat([x[:, :, top::step, left::step] for top in range(step) for left in range(step)], 1)


@operator("Transpose")
def transposition(a, x):
    return x.permute(a.get("perm") or list(range(x.dim()))[::-1])


@operator("Reshape")
def reshape(a, x, shape):
    own = shape_of(x)
    keeps = not a.get("allowzero")  # a side of 0 stands for the old one
    return x.reshape([own[n] if side == 0 and keeps else side for n, side in enumerate(numbers(shape))])


@operator("Flatten")
def flatten(a, x):
    first = int(np.prod(shape_of(x)[:a.get("axis", 1)]))
    return x.reshape([first, -1])


@operator("Squeeze")
def squeeze(a, x, axes=None):
    own, axes = shape_of(x), axes_of(a, axes, x.dim())
    gone = [axis % x.dim() for axis in axes if own[axis] == 1]
    return x.reshape([side for n, side in enumerate(own) if n not in gone])


@operator("Unsqueeze")
def unsqueeze(a, x, axes=None):
    for axis in sorted(axes_of(a, axes, 0)):
        x = x.unsqueeze(axis)
    return x


@operator("Gather")
def gather(a, x, indices):
    axis = a.get("axis", 0)
    if np.ndim(indices) == 0:
        return x.select(axis, int(indices))
    if np.ndim(indices) > 1:
        raise Unfit("a Gather has indices of more than one dimension")
    return x.index_select(axis, torch.from_numpy(np.asarray(indices) % shape_of(x)[axis]))


@operator("Expand")
def expand(a, x, shape):
    wanted = numbers(shape)
    own = [1] * (len(wanted) - x.dim()) + shape_of(x)
    return x.expand([max(o, w) for o, w in zip(own, wanted, strict=True)])


@operator("Pad")
def pad(a, x, pads=None, value=None, axes=None):
    pads = numbers(a["pads"] if pads is None else pads)
    if a.get("mode", b"constant") != b"constant" or axes is not None:
        raise Unfit("a Pad is not one by a constant on all axes")
    value = a.get("value", 0.0) if value is None else float(numbers(value)[0])
    before, after = pads[: x.dim()], pads[x.dim() :]
    return functional.pad(x, [side for pair in list(zip(before, after))[::-1] for side in pair], value=value)


@operator("Resize", "Upsample")
def resize(a, x, *rest):
    # Upsample: scales; Resize of opset 10: scales; since opset 11: region, scales, sizes.
    scales, sizes = (rest[0] if rest else a.get("scales"), None) if len(rest) < 2 else (*rest[1:], None)[:2]
    own = shape_of(x)
    if sizes is not None and len(numbers(sizes)) == 4:
        wanted = [int(side) for side in numbers(sizes)]
    else:
        wanted = [int(np.floor(side * scale)) for side, scale in zip(own, numbers(scales), strict=True)]
    factors = [w // o if w % o == 0 else 0 for w, o in zip(wanted, own, strict=True)]
    if factors[:2] != [1, 1] or 0 in factors:
        raise Unfit("a Resize is not one of height and width by whole factors")
    if a.get("mode", b"nearest") == b"nearest":
        # By whole factors, every rule of rounding that is in use copies each pixel.
        return functional.interpolate(x, scale_factor=[float(f) for f in factors[2:]], mode="nearest")
    if a["mode"] == b"linear" and a.get("coordinate_transformation_mode", b"half_pixel") == b"half_pixel":
        return functional.interpolate(
            x, scale_factor=[float(f) for f in factors[2:]], mode="bilinear", align_corners=False)
    raise Unfit(f"a Resize by the mode {a['mode'].decode()} is not converted")

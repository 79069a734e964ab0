"""Runs the program of an .mlpackage on any computer, by the documentation of its operations.

Core ML runs on Apple's systems only. This reads the file again as it was written, with its weights, and computes each
operation with PyTorch in float32. If asked to, it rounds a value that the program declares as float16 to float16 after
its operation, so that overflow and rounding show. Apple's hardware may add up in another order and precision.
"""

import numpy as np
import torch
from coremltools.converters.mil.frontend.milproto.load import load
from coremltools.converters.mil.mil import types
from torch.nn import functional


class Unknown(Exception):
    """An operation that is not computed here."""


def program_of(package):
    """The program of a loaded package."""
    spec = package.get_spec()
    return load(spec, spec.specificationVersion, package.weights_dir)


def class_names(program) -> list[str]:
    """The names of a classifier's classes."""
    (operation,) = (o for o in program.functions["main"].operations if o.op_type == "classify")
    return [str(name.val if hasattr(name, "val") else name) for name in operation.inputs["classes"].val]


def run(program, image: np.ndarray, rounds: bool) -> np.ndarray:
    """The first output of the program for an image [1, 3, H, W], its channels in the order of the image's layout.

    `rounds`: values are rounded to float16 if the program says so, not its weights alone.
    """
    main = program.functions["main"]
    (name,) = main.inputs
    values = {main.inputs[name].name: torch.from_numpy(image.astype(np.float32))}

    def value_of(variable):
        if isinstance(variable, (list, tuple)):
            return [value_of(v) for v in variable]
        if variable.name in values:
            return values[variable.name]
        constant = variable.val
        if isinstance(constant, np.ndarray) and constant.dtype.kind == "f":
            return torch.from_numpy(constant.astype(np.float32))
        return constant

    for operation in main.operations:
        if operation.op_type in ("const", "constexpr_affine_dequantize"):
            continue
        if operation.op_type == "classify":  # the answer's words; its numbers are these
            return values[operation.inputs["probabilities"].name].numpy()
        if operation.op_type not in OPERATIONS:
            raise Unknown(operation.op_type)
        inputs = {key: value_of(variable) for key, variable in operation.inputs.items() if variable is not None}
        answer = OPERATIONS[operation.op_type](**inputs)
        answers = answer if isinstance(answer, (list, tuple)) else [answer]
        for variable, result in zip(operation.outputs, answers, strict=False):
            if rounds and variable.dtype == types.fp16:
                result = result.half().float()
            expected = [side for side in variable.shape] if variable.shape is not None else None
            if expected is not None and list(result.shape) != expected:
                raise Unknown(f"{operation.op_type}: {list(result.shape)} where the program declares {expected}")
            values[variable.name] = result
    return values[main.outputs[0].name].numpy()


def listed(value) -> list:
    return np.atleast_1d(np.asarray(value)).tolist()


def padded(x, pad_type, pad, kernel, strides, dilations, fill=0.0):
    """x with what a convolution or pooling adds to its last two sides."""
    if pad_type == "valid":
        return x
    if pad_type == "custom":
        top, bottom, left, right = listed(pad)
    else:
        total = [
            max((-(-side // stride) - 1) * stride + (k - 1) * dilation + 1 - side, 0)
            for side, k, stride, dilation in zip(x.shape[2:], kernel, strides, dilations, strict=True)]
        less, more = [t // 2 for t in total], [t - t // 2 for t in total]
        before, after = (less, more) if pad_type == "same" else (more, less)
        top, bottom, left, right = before[0], after[0], before[1], after[1]
    return functional.pad(x, (left, right, top, bottom), value=fill)


def convolution(x, weight, bias=None, strides=(1, 1), pad_type="valid", pad=None, dilations=(1, 1), groups=1):
    strides, dilations = listed(strides), listed(dilations)
    x = padded(x, pad_type, pad, weight.shape[2:], strides, dilations)
    return functional.conv2d(x, weight, bias, strides, 0, dilations, int(groups))


def pooled(function, fill):
    def pool(x, kernel_sizes, strides=None, pad_type="valid", pad=None, ceil_mode=False,
             exclude_padding_from_average=False):
        kernel = listed(kernel_sizes)
        strides = kernel if strides is None else listed(strides)
        if exclude_padding_from_average and pad_type != "valid" and any(listed(pad)):
            raise Unknown("avg_pool that leaves its padding out")
        return function(padded(x, pad_type, pad, kernel, strides, (1, 1), fill), kernel, strides,
                        ceil_mode=bool(ceil_mode))
    return pool


def sliced(x, begin, end, stride=None, begin_mask=None, end_mask=None, squeeze_mask=None):
    rank = x.dim()

    def of(value, default):
        return [default] * rank if value is None else listed(value)

    index = []
    for b, e, s, is_begin, is_end, is_single in zip(
            listed(begin), listed(end), of(stride, 1), of(begin_mask, False), of(end_mask, False),
            of(squeeze_mask, False), strict=True):
        if is_single:
            index.append(b)
        else:
            index.append(slice(None if is_begin else b, None if is_end else e, s))
    return x[tuple(index)]


def reduced(function):
    return lambda x, axes=None, keep_dims=False: function(
        x, list(range(x.dim())) if axes is None else listed(axes), keepdim=bool(keep_dims))


def multiplied(x, y, transpose_x=False, transpose_y=False):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    return torch.matmul(x.transpose(-1, -2) if transpose_x else x, y.transpose(-1, -2) if transpose_y else y)


def split(x, axis, num_splits=None, split_sizes=None):
    if split_sizes is None:
        return torch.chunk(x, int(num_splits), int(axis))
    return torch.split(x, listed(split_sizes), int(axis))


def layer_normalized(x, axes, gamma=None, beta=None, epsilon=1e-5):
    axes = [axis % x.dim() for axis in listed(axes)]
    if axes != list(range(x.dim() - len(axes), x.dim())):
        raise Unknown("layer_norm of axes that are not the last")
    return functional.layer_norm(x, [x.shape[axis] for axis in axes], gamma, beta, float(epsilon))


def padded_by(x, pad, mode="constant", constant_val=0.0):
    if mode != "constant":
        raise Unknown(f"pad by {mode}")
    pairs = np.asarray(pad).reshape(-1, 2)[::-1]
    return functional.pad(x, pairs.reshape(-1).tolist(), value=float(constant_val))


def gelu(x, mode="EXACT"):
    if mode == "SIGMOID_APPROXIMATION":
        return x * torch.sigmoid(1.702 * x)
    return functional.gelu(x, approximate="none" if mode == "EXACT" else "tanh")


def clamped(x, alpha, beta):
    return torch.clamp(x, float(alpha), float(beta))


def of_one(function):
    return lambda x: function(x)


def of_two(function):
    return lambda x, y: function(torch.as_tensor(x), torch.as_tensor(y))


OPERATIONS = {
    "cast": lambda x, dtype: x,
    "identity": lambda x: x,
    "conv": convolution,
    "linear": lambda x, weight, bias=None: functional.linear(x, weight, bias),
    "matmul": multiplied,
    "add": of_two(torch.add), "sub": of_two(torch.sub), "mul": of_two(torch.mul), "real_div": of_two(torch.div),
    "pow": of_two(torch.pow), "maximum": of_two(torch.maximum), "minimum": of_two(torch.minimum),
    "relu": of_one(torch.relu), "relu6": of_one(functional.relu6), "silu": of_one(functional.silu),
    "sigmoid": of_one(torch.sigmoid), "tanh": of_one(torch.tanh), "erf": of_one(torch.erf),
    "sqrt": of_one(torch.sqrt), "exp": of_one(torch.exp), "abs": of_one(torch.abs), "square": of_one(torch.square),
    "inverse": lambda x, epsilon=1e-4: 1 / (x + float(epsilon)),
    "rsqrt": lambda x, epsilon=1e-12: torch.rsqrt(x + float(epsilon)),
    "sigmoid_hard": lambda x, alpha=0.2, beta=0.5: torch.clamp(x * float(alpha) + float(beta), 0, 1),
    "leaky_relu": lambda x, alpha=0.01: functional.leaky_relu(x, float(alpha)),
    "gelu": gelu,
    "softmax": lambda x, axis=-1: torch.softmax(x, int(axis)),
    "clip": clamped,
    "max_pool": pooled(functional.max_pool2d, float("-inf")),
    "avg_pool": pooled(functional.avg_pool2d, 0.0),
    "reduce_mean": reduced(torch.mean), "reduce_sum": reduced(torch.sum), "reduce_max": reduced(torch.amax),
    "concat": lambda values, axis, interleave=False: torch.cat(values, int(axis)),
    "split": split,
    "slice_by_index": sliced,
    "reshape": lambda x, shape: x.reshape(listed(shape)),
    "transpose": lambda x, perm: x.permute(listed(perm)),
    "expand_dims": lambda x, axes: x.reshape(np.expand_dims(np.empty(tuple(x.shape)), tuple(listed(axes))).shape),
    "squeeze": lambda x, axes=None: x.reshape(
        np.empty(tuple(x.shape)).squeeze(None if axes is None else tuple(listed(axes))).shape),
    "gather": lambda x, indices, axis=0, **rest: x.index_select(
        int(axis), torch.as_tensor(np.atleast_1d(indices))).reshape(
            [*x.shape[:int(axis)], *np.shape(indices), *x.shape[int(axis) + 1:]]),
    "pad": padded_by,
    "upsample_nearest_neighbor": lambda x, scale_factor_height=1, scale_factor_width=1: functional.interpolate(
        x, scale_factor=(float(scale_factor_height), float(scale_factor_width)), mode="nearest"),
    "layer_norm": layer_normalized,
    "batch_norm": lambda x, mean, variance, gamma=None, beta=None, epsilon=1e-5: functional.batch_norm(
        x, mean, variance, gamma, beta, eps=float(epsilon)),
}

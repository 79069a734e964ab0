"""Small models of operators that ONNX Runtime has beside ONNX's, and of some of ONNX's that have no tests of
their own, with what it answers.

    python Fixtures/generate/runtime_operators.py

Each is a folder in the form of ONNX's backend tests. onnx 1.19.1, onnxruntime 1.31.1, numpy 2.4.6.
"""

import shutil
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import AttributeProto, TensorProto, helper, numpy_helper

TOP = Path(__file__).resolve().parents[2]
TARGET = TOP / "Fixtures" / "Goldens" / "ONNXRunner" / "runtime"
RANDOM = np.random.default_rng(20261125)
RUNTIME = "com.microsoft"


def noise(*shape, low=-1.0, high=1.0, dtype=np.float32):
    return RANDOM.uniform(low, high, shape).astype(dtype)


def bytes_(*shape, low=0, high=256, dtype=np.uint8):
    return RANDOM.integers(low, high, shape).astype(dtype)


def case(name, nodes, inputs, outputs, weights=None, opset=17, functions=()):
    """`inputs` and `weights` are arrays by name, `outputs` names; nodes are tuples or NodeProtos."""
    made = []
    for node in nodes:
        if isinstance(node, tuple):
            operation, ins, outs, attributes = node
            domain = attributes.pop("domain", RUNTIME)
            node = helper.make_node(operation, ins, outs, domain=domain, **attributes)
        made.append(node)

    def info(key, array, shape):
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(key, kind, shape)

    def model(results):
        graph = helper.make_graph(
            made,
            name,
            [info(key, array, array.shape) for key, array in inputs.items()],
            results,
            [
                array if isinstance(array, TensorProto) else numpy_helper.from_array(array, key)
                for key, array in (weights or {}).items()
            ],
        )
        made_model = helper.make_model(
            graph,
            functions=list(functions),
            opset_imports=[
                helper.make_opsetid("", opset), helper.make_opsetid(RUNTIME, 1),
                *([helper.make_opsetid("own", 1)] if functions else []),
            ],
        )
        made_model.ir_version = 10
        return made_model

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    untyped = model([helper.make_empty_tensor_value_info(output) for output in outputs])
    session = onnxruntime.InferenceSession(
        untyped.SerializeToString(), options, providers=["CPUExecutionProvider"])
    results = session.run(outputs, inputs)
    folder = TARGET / name
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    typed = model([info(key, array, array.shape) for key, array in zip(outputs, results)])
    (folder / "model.onnx").write_bytes(typed.SerializeToString())
    for kind, arrays in [("input", list(inputs.items())), ("output", list(zip(outputs, results)))]:
        for index, (key, array) in enumerate(arrays):
            tensor = numpy_helper.from_array(array, key)
            (data / f"{kind}_{index}.pb").write_bytes(tensor.SerializeToString())


def normalizations():
    x, skip = noise(2, 3, 8), noise(2, 3, 8)
    scale, shift, bias = noise(8), noise(8), noise(8)
    case("skip_layer_normalization",
         [("SkipLayerNormalization", ["x", "skip", "g", "b", "bias"], ["y", "", "", "sum"],
           {"epsilon": 1e-5})],
         {"x": x, "skip": skip}, ["y", "sum"], {"g": scale, "b": shift, "bias": bias})
    case("skip_layer_normalization_plain",
         [("SkipLayerNormalization", ["x", "skip", "g"], ["y"], {})],
         {"x": x, "skip": noise(1, 3, 8)}, ["y"], {"g": scale}, opset=11)
    case("skip_simplified_layer_normalization",
         [("SkipSimplifiedLayerNormalization", ["x", "skip", "g", "bias"], ["y", "", "", "sum"],
           {"epsilon": 1e-6})],
         {"x": x, "skip": skip}, ["y", "sum"], {"g": scale, "bias": bias})
    case("simplified_layer_normalization",
         [("SimplifiedLayerNormalization", ["x", "g"], ["y"],
           {"domain": "", "axis": -1, "epsilon": 1e-6})],
         {"x": x}, ["y"], {"g": scale})
    case("skip_layer_normalization_half",
         [("SkipLayerNormalization", ["x", "skip", "g", "b"], ["y"], {})],
         {"x": x.astype(np.float16), "skip": skip.astype(np.float16)}, ["y"],
         {"g": scale.astype(np.float16), "b": shift.astype(np.float16)})
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
    tables = {"words": noise(10, 8), "places": noise(6, 8), "segments": noise(2, 8),
              "g": scale, "b": shift}
    ids = np.array([[1, 2, 9, 0], [3, 3, 0, 0]], np.int32)
    kinds = np.array([[0, 0, 1, 1], [1, 0, 0, 1]], np.int32)
    case("embed_layer_normalization",
         [("EmbedLayerNormalization",
           ["ids", "kinds", "words", "places", "segments", "g", "b", "mask"], ["y", "lengths"],
           {"epsilon": 1e-6})],
         {"ids": ids, "kinds": kinds, "mask": mask}, ["y", "lengths"], tables)
    case("embed_layer_normalization_plain",
         [("EmbedLayerNormalization",
           ["ids", "", "words", "places", "", "g", "b", "", "at"], ["y", "lengths"], {})],
         {"ids": ids, "at": np.array([[3, 2, 1, 0], [5, 5, 4, 4]], np.int32)}, ["y", "lengths"],
         tables)


def activations():
    x, bias = noise(2, 3, 8, low=-4, high=4), noise(8)
    case("bias_gelu", [("BiasGelu", ["x", "b"], ["y"], {})], {"x": x}, ["y"], {"b": bias})
    case("gelu", [("Gelu", ["x"], ["y"], {})], {"x": x}, ["y"])
    case("fast_gelu", [("FastGelu", ["x", "b"], ["y"], {})], {"x": x}, ["y"], {"b": bias})
    case("quick_gelu", [("QuickGelu", ["x"], ["y"], {"alpha": 1.702})], {"x": x}, ["y"])
    case("quick_gelu_silu", [("QuickGelu", ["x"], ["y"], {"alpha": 1.0})], {"x": x}, ["y"])


def products():
    a, b = noise(2, 3, 4, 5), noise(2, 3, 6, 5)
    case("fused_matmul_b", [("FusedMatMul", ["a", "b"], ["y"], {"alpha": 0.5, "transB": 1})],
         {"a": a, "b": b}, ["y"])
    case("fused_matmul_ab",
         [("FusedMatMul", ["a", "b"], ["y"], {"alpha": -2.0, "transA": 1, "transB": 1})],
         {"a": noise(5, 4), "b": noise(6, 5)}, ["y"])
    for name, shape, attributes in [
        ("batch", (4, 2, 3, 5), {"transBatchA": 1}),
        ("batch_trans", (5, 2, 3, 4), {"transBatchA": 1, "transA": 1}),
    ]:
        case(f"fused_matmul_{name}", [("FusedMatMul", ["a", "b"], ["y"], attributes)],
             {"a": noise(*shape), "b": noise(2, 3, 5, 6)}, ["y"])
    x, w, z = noise(1, 3, 6, 7), noise(4, 3, 3, 3), noise(1, 4, 6, 7)
    for kind, parameters in [
        ("Relu", None), ("Tanh", None), ("Sigmoid", None), ("LeakyRelu", [0.2]),
        ("Clip", [-0.25, 0.5]), ("HardSigmoid", [0.3, 0.4]),
    ]:
        attributes = {"activation": kind, "pads": [1, 1, 1, 1], "kernel_shape": [3, 3]}
        if parameters:
            attributes["activation_params"] = parameters
        case(f"fused_conv_{kind.lower()}", [("FusedConv", ["x", "w", "b"], ["y"], attributes)],
             {"x": x}, ["y"], {"w": w, "b": noise(4)})
    case("fused_conv_sum",
         [("FusedConv", ["x", "w", "b", "z"], ["y"],
           {"activation": "Relu", "pads": [1, 1, 1, 1]})],
         {"x": x, "z": z}, ["y"], {"w": w, "b": noise(4)})
    case("fused_gemm",
         [("FusedGemm", ["a", "b", "c"], ["y"],
           {"activation": "LeakyRelu", "activation_alpha": 0.3, "alpha": 0.5, "transB": 1})],
         {"a": noise(3, 4)}, ["y"], {"b": noise(5, 4), "c": noise(5)})


def narrow():
    def packed(columns, blocks, bits, size):
        return bytes_(columns, blocks, size * bits // 8)

    for bits, depth, size, with_zeros, known in [
        (4, 40, 16, False, True), (4, 40, 16, True, True), (8, 40, 16, True, True),
        (4, 64, 32, True, False),
    ]:
        columns, blocks = 6, -(-depth // size)
        tensors = {"b": packed(columns, blocks, bits, size),
                   "s": noise(columns * blocks, low=0.01, high=0.1)}
        names = ["x", "b", "s"]
        if with_zeros:
            tensors["z"] = bytes_(columns, -(-blocks * bits // 8)).reshape(-1)
            names.append("z")
        inputs = {"x": noise(2, 3, depth)}
        if not known:
            inputs |= tensors
            tensors = {}
        case(f"matmul_{bits}bits{'_zeros' if with_zeros else ''}{'' if known else '_given'}",
             [("MatMulNBits", names, ["y"],
               {"K": depth, "N": columns, "bits": bits, "block_size": size})],
             inputs, ["y"], tensors)
    x = noise(2, 3, 8)
    case("dynamic_quantize_matmul",
         [("DynamicQuantizeMatMul", ["x", "w", "s", "z", "b"], ["y"], {})],
         {"x": x}, ["y"],
         {"w": bytes_(8, 5, low=-128, high=128, dtype=np.int8), "s": np.float32([0.02]),
          "z": np.int8([3]), "b": noise(5)})
    case("matmul_integer_to_float",
         [("MatMulIntegerToFloat", ["x", "w", "xs", "ws", "xz", "wz", "b"], ["y"], {})],
         {"x": bytes_(3, 8)}, ["y"],
         {"w": bytes_(8, 5), "xs": np.float32(0.03), "ws": noise(5, low=0.01, high=0.1),
          "xz": np.uint8(7), "wz": bytes_(5), "b": noise(5)})
    hidden, features = 4, 3
    for name, directions, scales in [("forward", 1, (1,)), ("bidirectional", 2, (2, 4 * hidden))]:
        case(f"dynamic_quantize_lstm_{name}",
             [("DynamicQuantizeLSTM",
               ["x", "w", "r", "b", "", "", "", "", "ws", "wz", "rs", "rz"], ["y", "h", "c"],
               {"direction": name, "hidden_size": hidden})],
             {"x": noise(5, 2, features)}, ["y", "h", "c"],
             {"w": bytes_(directions, features, 4 * hidden, low=-128, high=128, dtype=np.int8),
              "r": bytes_(directions, hidden, 4 * hidden, low=-128, high=128, dtype=np.int8),
              "b": noise(directions, 8 * hidden),
              "ws": noise(*scales, low=0.002, high=0.006),
              "wz": np.zeros(scales, np.int8), "rs": noise(*scales, low=0.002, high=0.006),
              "rz": np.zeros(scales, np.int8)})


def attention():
    heads, features = 2, 8
    x = noise(2, 4, 6)
    weights = {"w": noise(6, 3 * features), "b": noise(3 * features)}
    masks = {
        "lengths": np.array([3, 4], np.int32),
        "ends": np.array([3, 4, 1, 0], np.int32),
        "raw": np.array([[1, 1, 1, 0], [0, 1, 1, 1]], np.int32),
        "raw3": np.tril(np.ones((2, 4, 4), np.int32)),
    }
    for name, mask in masks.items():
        case(f"attention_{name}",
             [("Attention", ["x", "w", "b", "m"], ["y"], {"num_heads": heads})],
             {"x": x, "m": mask}, ["y"], weights)
    case("attention_causal",
         [("Attention", ["x", "w", "b"], ["y"], {"num_heads": heads, "unidirectional": 1})],
         {"x": x}, ["y"], weights)
    case("attention_past",
         [("Attention", ["x", "w", "b", "", "past"], ["y", "present"],
           {"num_heads": heads, "unidirectional": 1})],
         {"x": x, "past": noise(2, 2, heads, 3, 4)}, ["y", "present"], weights)
    case("attention_bias",
         [("Attention", ["x", "w", "b", "", "", "bias"], ["y"],
           {"num_heads": heads, "scale": 0.3})],
         {"x": x, "bias": noise(2, heads, 4, 4)}, ["y"], weights)
    case("attention_sizes",
         [("Attention", ["x", "w", "b"], ["y"],
           {"num_heads": heads, "qkv_hidden_sizes": [8, 8, 4]})],
         {"x": x}, ["y"], {"w": noise(6, 20), "b": noise(20)})
    case("qattention",
         [("QAttention", ["x", "w", "b", "xs", "ws", "m", "xz", "wz"], ["y"],
           {"num_heads": heads})],
         {"x": bytes_(2, 4, 6), "m": masks["lengths"]}, ["y"],
         {"w": bytes_(6, 24, low=-128, high=128, dtype=np.int8), "b": noise(24),
          "xs": np.float32(0.01), "ws": np.float32(0.01), "xz": np.uint8(120), "wz": np.int8(2)})

    q, k, v = noise(2, 4, features), noise(2, 5, features), noise(2, 5, 12)
    case("multi_head_attention",
         [("MultiHeadAttention", ["q", "k", "v", "b"], ["y"], {"num_heads": heads})],
         {"q": q, "k": k, "v": v}, ["y"], {"b": noise(28)})
    case("multi_head_attention_mask",
         [("MultiHeadAttention", ["q", "k", "v", "", "m", "bias"], ["y"], {"num_heads": heads})],
         {"q": q, "k": k, "v": v, "m": np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]], np.int32),
          "bias": noise(1, heads, 4, 5)}, ["y"])
    case("multi_head_attention_lengths",
         [("MultiHeadAttention", ["q", "k", "v", "", "m"], ["y"],
           {"num_heads": heads, "unidirectional": 1})],
         {"q": q, "k": noise(2, 4, features), "v": noise(2, 4, features),
          "m": np.array([3, 4], np.int32)}, ["y"])
    case("multi_head_attention_heads",
         [("MultiHeadAttention", ["q", "k", "v"], ["y"], {"num_heads": heads})],
         {"q": q, "k": noise(2, heads, 5, 4), "v": noise(2, heads, 5, 4)}, ["y"])
    case("multi_head_attention_past",
         [("MultiHeadAttention", ["q", "k", "v", "", "", "", "pk", "pv"], ["y", "key", "value"],
           {"num_heads": heads, "scale": 0.4})],
         {"q": q, "k": noise(2, 4, features), "v": noise(2, 4, features),
          "pk": noise(2, heads, 3, 4), "pv": noise(2, heads, 3, 4)}, ["y", "key", "value"])
    table = noise(12, 2), noise(12, 2)
    case("rotary_embedding",
         [("RotaryEmbedding", ["x", "at", "c", "s"], ["y"], {})],
         {"x": noise(2, 4, features), "at": np.array([3], np.int64)}, ["y"],
         {"c": table[0], "s": table[1]})
    case("rotary_embedding_interleaved",
         [("RotaryEmbedding", ["x", "at", "c", "s"], ["y"], {"interleaved": 1})],
         {"x": noise(2, heads, 3, 4), "at": np.array([[0, 1, 2], [5, 6, 7]], np.int64)}, ["y"],
         {"c": table[0], "s": table[1]})

    def group(name, length, lengths, total, past, **attributes):
        size = 16
        inputs = {"q": noise(2, length, 4 * size), "k": noise(2, length, 2 * size),
                  "v": noise(2, length, 2 * size), "pk": noise(2, 2, past, size),
                  "pv": noise(2, 2, past, size), "n": np.array(lengths, np.int32),
                  "t": np.array(total, np.int32)}
        names = ["q", "k", "v", "pk", "pv", "n", "t"]
        weights = {}
        if attributes.get("do_rotary"):
            weights = {"c": noise(12, size // 2), "s": noise(12, size // 2)}
            names += ["c", "s"]
        case(f"group_query_attention_{name}",
             [("GroupQueryAttention", names, ["y", "key", "value"],
               {"num_heads": 4, "kv_num_heads": 2, **attributes})],
             inputs, ["y", "key", "value"], weights)

    group("first", 3, [2, 2], 3, 0)
    group("next", 1, [3, 3], 4, 3, do_rotary=1)
    group("window", 1, [4, 4], 5, 4, local_window_size=2, scale=0.7)


def others():
    case("max_roi_pool",
         [("MaxRoiPool", ["x", "r"], ["y"],
           {"domain": "", "pooled_shape": [2, 3], "spatial_scale": 0.5})],
         {"x": noise(2, 3, 6, 7),
          "r": np.float32([[0, 0, 0, 11, 13], [1, 3, 2, 6, 9], [0, 20, 20, 30, 30], [1, 5, 5, 4, 4]])},
         ["y"])
    # Weights of four bits as quantisers write them: blocks along the depth, an odd number of columns.
    for name, kind, low, high in [
        ("int4", TensorProto.INT4, -8, 8), ("uint4", TensorProto.UINT4, 0, 16)
    ]:
        codes = [int(code) for code in RANDOM.integers(low, high, 32 * 5)]
        zeros = [int(code) for code in RANDOM.integers(low, high, 2 * 5)]
        case(f"dequantized_{name}",
             [("DequantizeLinear", ["w", "s", "z"], ["f"],
               {"domain": "", "axis": 0, "block_size": 16}),
              ("MatMul", ["x", "f"], ["y"], {"domain": ""})],
             {"x": noise(3, 32)}, ["y"],
             {"w": helper.make_tensor("w", kind, [32, 5], codes),
              "s": noise(2, 5, low=0.01, high=0.1),
              "z": helper.make_tensor("z", kind, [2, 5], zeros)}, opset=21)


def quantised():
    scale = np.float32(0.02)
    for name, dtype, zero in [("8bits", np.int8, 3), ("16bits", np.uint16, 30000)]:
        zero = dtype(zero)
        case(f"quantize_{name}",
             [("QuantizeLinear", ["x", "s", "z"], ["q"], {}),
              ("DequantizeLinear", ["q", "s", "z"], ["y"], {})],
             {"x": noise(2, 3, 4)}, ["q", "y"], {"s": scale, "z": zero})
    case("quantize_axis",
         [("QuantizeLinear", ["x", "s", "z"], ["q"], {"axis": 1}),
          ("DequantizeLinear", ["q", "s", "z"], ["y"], {"axis": 1})],
         {"x": noise(2, 3, 4)}, ["q", "y"],
         {"s": noise(3, low=0.01, high=0.02), "z": np.uint8([128, 100, 7])})
    case("qlinear_average_pool",
         [("QLinearAveragePool", ["x", "xs", "xz", "ys", "yz"], ["y"],
           {"kernel_shape": [2, 3], "strides": [1, 2], "pads": [1, 0, 0, 1]})],
         {"x": bytes_(1, 3, 6, 7)}, ["y"],
         {"xs": scale, "xz": np.uint8(100), "ys": np.float32(0.013), "yz": np.uint8(90)})
    case("qlinear_where",
         [("QLinearWhere", ["c", "x", "xs", "xz", "y", "ys", "yz", "zs", "zz"], ["z"], {})],
         {"c": np.array([True, False, True]), "x": bytes_(2, 3), "y": bytes_(2, 1)}, ["z"],
         {"xs": scale, "xz": np.uint8(100), "ys": np.float32(0.013), "yz": np.uint8(90),
          "zs": np.float32(0.03), "zz": np.uint8(70)})
    for opset, mode, padding in [
        (13, "bilinear", "border"), (17, "bicubic", "zeros"), (20, "bilinear", "reflection")
    ]:
        case(f"grid_sample_{mode}_{opset}",
             [("GridSample", ["x", "g"], ["y"],
               {"mode": mode, "padding_mode": padding, "align_corners": 1})],
             {"x": noise(1, 2, 4, 5), "g": noise(1, 3, 3, 2, low=-1.2, high=1.2)}, ["y"],
             opset=opset)


def functions():
    """Models that bring their own operators along."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]

    def function(name, inputs, outputs, nodes, attributes=(), defaults=()):
        return helper.make_function(
            "own", name, inputs, outputs, nodes, opsets, list(attributes), list(defaults))

    leaky = helper.make_node("LeakyRelu", ["x"], ["t"])
    leaky.attribute.append(AttributeProto(
        name="alpha", type=AttributeProto.FLOAT, ref_attr_name="slope"))
    bent = function("Bent", ["x", "shift"], ["y"],
                    [leaky, helper.make_node("Add", ["t", "shift"], ["y"])],
                    defaults=[helper.make_attribute("slope", 0.5)])
    # Names inside are those outside, and the graphs of a node use what is around them.
    branch = helper.make_graph([helper.make_node("Neg", ["x"], ["t"])], "then", [],
                               [helper.make_empty_tensor_value_info("t")])
    other = helper.make_graph([helper.make_node("Bent", ["x", "x"], ["t"], domain="own")], "else",
                              [], [helper.make_empty_tensor_value_info("t")])
    chosen = function("Chosen", ["x", "c"], ["y", "z"], [
        helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=other),
        helper.make_node("Bent", ["y", "x"], ["z"], domain="own", slope=-1.0),
    ])
    x = noise(2, 3)
    case("functions",
         [("Bent", ["x", "t"], ["a"], {"domain": "own", "slope": 0.25}),
          ("Bent", ["a", "x"], ["b"], {"domain": "own"}),
          ("Chosen", ["b", "c"], ["y", "z"], {"domain": "own"}),
          ("Not", ["c"], ["d"], {"domain": ""}),
          ("Chosen", ["z", "d"], ["u", ""], {"domain": "own"}),
          ("Add", ["y", "u"], ["t2"], {"domain": ""})],
         {"x": x, "t": noise(3), "c": np.array(True)}, ["y", "z", "t2"],
         functions=[chosen, bent])


def edges():
    """Numbers at which the rounding of a size, of a place or of a sum decides."""
    onnx = {"domain": ""}
    # 20 times the nearest float of 31 / 20 is a little below 31.
    scales = np.float32([1, 1, 31 / 20, 11 / 9])
    case("resize_to_whole_sizes", [("Resize", ["x", "", "s"], ["y"], {**onnx, "mode": "linear"})],
         {"x": noise(1, 2, 20, 9)}, ["y"], {"s": scales})
    case("upsample_to_whole_sizes", [("Upsample", ["x", "s"], ["y"], {**onnx, "mode": "nearest"})],
         {"x": noise(1, 2, 20, 9)}, ["y"], {"s": scales}, opset=9)
    case("resize_down_before_opset_11", [("Resize", ["x", "s"], ["y"], {**onnx, "mode": "nearest"})],
         {"x": noise(1, 2, 7, 5)}, ["y"], {"s": np.float32([1, 1, 0.6, 2.4])}, opset=10)
    case("resize_to_its_size", [("Resize", ["x", "", "s"], ["y"], {**onnx, "mode": "linear"})], {"x": noise(1, 2, 7, 3)},
         ["y"], {"s": np.float32([1, 1, 1.1, 1.2])})
    # Some of these places are halves, but for a millionth.
    for rounding, coordinates in [("round_prefer_ceil", "asymmetric"), ("round_prefer_floor", "half_pixel")]:
        case(f"resize_at_halves_{rounding}",
             [("Resize", ["x", "", "s"], ["y"],
               {**onnx, "mode": "nearest", "nearest_mode": rounding, "coordinate_transformation_mode": coordinates})],
             {"x": noise(1, 1, 7, 14)}, ["y"], {"s": np.float32([1, 1, 8 / 7, 19 / 14])})
    # So is 5 times that of 0.7, and 3.5 is rounded up.
    case("max_roi_pool_at_halves",
         [("MaxRoiPool", ["x", "r"], ["y"], {**onnx, "pooled_shape": [3, 2], "spatial_scale": 0.7})],
         {"x": noise(1, 2, 9, 9), "r": np.float32([[0, 5, 5, 10, 10], [0, 0, 5, 5, 10]])}, ["y"])
    greatest = 2**63 - 1
    for name, start, end, step in [
        ("everything", greatest, greatest, -1), ("from_before", -20, -greatest, -1), ("in_twos", 1, greatest, -2)
    ]:
        case(f"slice_backwards_{name}", [("Slice", ["x", "a", "b", "c", "d"], ["y"], {**onnx})],
             {"x": noise(3, 2)}, ["y"],
             {"a": np.int64([start]), "b": np.int64([end]), "c": np.int64([1]), "d": np.int64([step])})
    zeros = noise(3, 4)
    zeros[1] = 0
    for p in (1, 2):
        case(f"lp_normalization_{p}_of_zeros", [("LpNormalization", ["x"], ["y"], {**onnx, "p": p})],
             {"x": zeros}, ["y"])
    for name, attributes in [("coupled_gates", {"input_forget": 1}), ("clipped_gates", {"clip": 0.5})]:
        case(name, [("LSTM", ["x", "w", "r", "b", "", "h", "c", "p"], ["y", "", "last"],
                     {**onnx, "hidden_size": 3, **attributes})],
             {"x": noise(4, 2, 5), "h": noise(1, 2, 3), "c": noise(1, 2, 3, low=-2, high=2)}, ["y", "last"],
             {"w": noise(1, 12, 5), "r": noise(1, 12, 3), "b": noise(1, 24), "p": noise(1, 9)})
    # Groups alone, side by side, and more of them than fit; sums whose share is half a step.
    for name, group, inputs, outputs, kernel, kind, zero in [
        ("alone", 2, 3, 16, 3, np.int8, 0), ("in_fours", 8, 4, 4, 3, np.int8, 0), ("odd", 5, 3, 7, 2, np.uint8, 130),
        ("more", 20, 2, 1, 1, np.uint8, 7), ("twice", 18, 1, 2, 3, np.int8, -3),
    ]:
        range_ = np.iinfo(kind)
        w = bytes_(group * outputs, inputs, kernel, kernel, low=range_.min, high=range_.max, dtype=kind)
        weights = {"w": w, "wz": kind(zero)}
        # Of seven bits: ONNX Runtime's sums of two products have 16 bits on a processor without VNNI.
        x = {"x": bytes_(2, group * inputs, 6, 9, high=128)}
        shape = {**onnx, "group": group, "pads": [1, 0, 1, 1]}
        case(f"grouped_integers_{name}", [("ConvInteger", ["x", "w", "xz", "wz"], ["y"], {**shape})], x, ["y"],
             {**weights, "xz": np.uint8(9)}, opset=10)
        case(f"grouped_bytes_{name}",
             [("QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"], ["y"],
               {**shape, "strides": [1, 2]})],
             x, ["y"],
             {**weights, "xs": np.float32(0.05), "xz": np.uint8(9), "ws": np.float32(0.02), "ys": np.float32(0.3),
              "yz": np.uint8(100), "b": bytes_(group * outputs, low=-500, high=500, dtype=np.int32)}, opset=10)
    case("resize_antialiased_and_to_its_size",
         [("Resize", ["x", "", "s"], ["y"], {**onnx, "mode": "cubic", "antialias": 1})], {"x": noise(1, 2, 8, 6)}, ["y"],
         {"s": np.float32([1, 1, 0.5, 1.1])}, opset=18)


if __name__ == "__main__":
    shutil.rmtree(TARGET, ignore_errors=True)
    normalizations()
    activations()
    products()
    narrow()
    attention()
    others()
    functions()
    quantised()
    edges()
    count = len(list(TARGET.iterdir()))
    size = sum(path.stat().st_size for path in TARGET.rglob("*") if path.is_file())
    print(f"{count} models, {size} bytes")

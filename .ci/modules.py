"""The public modules of the package as scripts need them: their names, their symbol graphs, and flags to import them."""

import functools
import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent

# Modules that are not checked for Apple's systems, and why.
NOT_ON_APPLE = {
    "ImageFiles": "reads by libraries in C that have no stub: libjpeg-turbo, libpng, libheif, libwebp, libtiff",
    "Drawing": "draws by Cairo, which has no stub",
    "Barcodes": "reads by ZBar and ZXing, which have no stub",
    "CountReport": "stands on ImageFiles",
    "CountDrawing": "stands on Drawing and ImageFiles",
    "CommandKit": "stands on Drawing and ImageFiles",
    "CountCommands": "stands on CommandKit",
    "TallyCommands": "stands on CommandKit",
    "_HTTPServer": "serves by libmicrohttpd, which has no stub",
}


def package() -> dict:
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=TOP, capture_output=True, check=True)
    return json.loads(dump.stdout)


def public(package: dict) -> list[str]:
    """The modules that products bring."""
    return sorted({
        target for product in package["products"] if "library" in product["type"]
        for target in product["targets"]})


def dependencies(package: dict) -> dict[str, list[str]]:
    """The targets that each target names."""
    return {
        target["name"]: [
            (dependency.get("byName") or dependency["target"])[0]
            for dependency in target["dependencies"] if "byName" in dependency or "target" in dependency]
        for target in package["targets"]}


def closures(package: dict) -> dict[str, list[str]]:
    """All targets that a target stands on, itself first."""
    direct = dependencies(package)
    result = {}
    for name in direct:
        found = [name]
        for used in found:
            found += [other for other in direct[used] if other not in found]
        result[name] = found
    return result


def headers(package: dict) -> list[str]:
    """Flags by which headers are found: of system libraries and of C targets."""
    names = [target["pkgConfig"] for target in package["targets"] if target.get("pkgConfig")]
    flags = subprocess.run(
        ["pkg-config", "--cflags-only-I", *names], capture_output=True, check=True, text=True)
    own = [f"-I{folder}" for folder in TOP.glob("Sources/*/*/include")]
    return flags.stdout.split() + own


def import_flags(package: dict, build: pathlib.Path) -> list[str]:
    """Flags by which the compiler finds the modules of a build."""
    maps = list(build.glob("*.build/module.modulemap"))
    maps += TOP.glob("Sources/*/*/module.modulemap")
    maps += TOP.glob("Sources/*/*/include/module.modulemap")
    flags = ["-I", str(build / "Modules")]
    for flag in [f"-fmodule-map-file={file}" for file in maps] + headers(package):
        flags += ["-Xcc", flag]
    return flags


@functools.cache
def triple() -> str:
    info = json.loads(subprocess.run(
        ["swift", "-print-target-info"], capture_output=True, check=True).stdout)
    return info["target"]["unversionedTriple"]


def symbol_graphs(module: str, folder: pathlib.Path, flags: list[str], more: list[str] = []) -> list[pathlib.Path]:
    """Writes the symbol graphs of a module, of which those are files of their own that add to types of others."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        "swift", "symbolgraph-extract", "-module-name", module, "-target", triple(),
        "-minimum-access-level", "public", *more, *flags, "-output-dir", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{module}: {run.stderr.strip()}")
    return [folder / f"{module}.symbols.json", *folder.glob(f"{module}@*.symbols.json")]

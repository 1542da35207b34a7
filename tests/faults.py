#!/usr/bin/env python3
"""The program on a disk that fails and with memory that runs out, at each call in turn.

    faults.py [--every] [--jobs N] [CASE|KIND...]

For each case, each kind of fault and each n: the n-th call that could fail does. Then the program must end with a
status that it documents and say why; what it has written must be what a run without faults writes, whole files and
whole rows; and the same command must work when it is given again. Without --every a few n of each are tried, spread
over all of them. $MENISCUS is the program, $MN_TEST_BUILD/tests has faulty_disk and faulty_memory.so."""

import argparse
import concurrent.futures
import copy
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TRIED = {"run": 8}  # calls of each kind, unless all are; of the other cases:
TRIED_ELSE = 2
SECONDS = 60  # nothing here takes more than one; longer is a hang
SKIPPED = 77

program = os.environ["MENISCUS"]
tools = os.path.join(os.environ["MN_TEST_BUILD"], "tests")

# A drop above a plate that moves, another that is given, and a sink: some forty particles in three dimensions.
SCENE = {
    "spacing": 0.0002,
    "duration": 0.0003,
    "fps": 10000,
    "time_step": {"fixed": 1e-4},
    "fluids": {"water": {"tension": {"vapor": 0.072}, "viscosity": 0.001, "bodies": [
        {"shape": {"kind": "sphere", "radius": 0.00035, "translation": [0, 0, 0.0005]}}]}},
    "solids": {"plate": {
        "shape": {"kind": "box", "size": [0.001, 0.001, 0.0002], "translation": [0, 0, -0.0001]},
        "contact_angle": {"water": 60},
        "motion": [{"time": 0}, {"time": 1, "translation": [0.01, 0, 0]}]}},
    "emitters": [{"kind": "drops", "fluid": "water", "drops": [
        {"time": 0.00015, "position": [0, 0, 0.002], "radius": 0.0002}]}],
    "sinks": [{"lower": [-1, -1, -1], "upper": [1, 1, -0.9]}],
}

# What is run in a folder that has scene.json, the mesh of a solid, and in `before` what the case `run` writes. For
# `resume` that is in `out`, as a run leaves it that is stopped after two steps.
FORMATS = "ply,vtp,csv,bgeo" + ("" if os.environ.get("MN_LACKS_HDF5") else ",vtkhdf")
CASES = {
    "run": ["run", "scene.json", "-o", "out", "--threads", "1", "--format", FORMATS, "-q", "--set",
            "fluids.water.density=900", "--set", "solids.plate.friction=0.1", "--checkpoint-every", "2"],
    "resume": ["run", "--resume", "out", "--threads", "1", "-q", "--checkpoint-every", "2"],
    "convert": ["convert", "before", "out", "--format", FORMATS, "-q"],
    "mesh": ["mesh", "before", "-o", "out", "--threads", "1", "--format", "ply,obj,vtp", "--smooth", "2", "-q"],
    "measure": ["measure", "before", "--json", "out", "-q"],
    "picture": ["render", "before", "-o", "out.png", "--threads", "1", "--size", "32x16", "--samples", "1", "-q"],
    "splat": ["render", "before", "-o", "out.png", "--threads", "1", "--size", "64x32", "--look", "field:speed", "-q"],
    "film": ["render", "before", "-o", "out.mp4", "--threads", "1", "--size", "32x16", "--look", "field:speed", "-q"],
    "check": ["check", "scene.json"],
    "import": ["check", "imported.json"],
    "info": ["info", "before"],
    "schema": ["schema"],
}

# name: fault, whether it lasts, what must be said, whether files cannot be taken away either
KINDS = {
    "memory once": ("memory", False, r"memory", False),
    "memory gone": ("memory", True, r"memory", False),
    "full once": ("ENOSPC", False, r"No space left on device", False),
    "full": ("ENOSPC", True, r"No space left on device", False),
    "broken once": ("EIO", False, r"Input/output error", True),
    "broken": ("EIO", True, r"Input/output error", True),
    "read-only": ("EROFS", True, r"Read-only file system", True),
}


class Wrong(Exception):
    pass


def run_faulty(folder, command, fault, at, lasts):
    """Runs with the fault at that call; 0: none. Returns the status, what was said, and the number of calls."""
    count = os.path.join(folder, "count")
    environment = dict(os.environ, GOMP_SPINCOUNT="1000", LC_ALL="C")
    line = [program] + command
    if fault == "memory":
        environment.update(LD_PRELOAD=os.path.join(tools, "faulty_memory.so"), MN_FAULT_AT=str(at),
                           MN_FAULT_COUNT=count)
        if lasts:
            environment["MN_FAULT_STAYS"] = "1"
    else:
        line = [os.path.join(tools, "faulty_disk"), fault, str(at), "always" if lasts else "once", count] + line
    with open(os.path.join(folder, "stdout"), "wb") as output:
        try:
            done = subprocess.run(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                  stderr=subprocess.PIPE, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Wrong(f"hangs for {SECONDS} s")
    try:
        calls = int(open(count).read())
        os.remove(count)
    except (OSError, ValueError):
        calls = 0
    return done.returncode, done.stderr.decode("utf-8", "replace"), calls


def contents(folder):
    """All files that a command has written, by their paths from the folder. What check prints is no result."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            inside = os.path.relpath(path, folder)
            if inside.startswith("out") or inside == "stdout":
                with open(path, "rb") as file:
                    found[inside] = without_memory(file.read()) if name == "series.csv" else file.read()
    return found


def without_memory(series):
    """A series without its last column: lists may be shorter where there is no memory to make them longer."""
    return re.sub(rb",[^,\n]*\n", b"\n", series)


def rows_are_whole(text, good, may_be_torn):
    lines = text.split(b"\n")
    if lines[-1] and not may_be_torn:
        return False
    return all(line.count(b",") == good.split(b"\n")[0].count(b",") for line in lines[:-1])


def judge_file(path, found, good, unremovable):
    """Whether a file that a failed command has left is good: `good` is what a command without faults leaves."""
    name = os.path.basename(path)
    if name.endswith(".partial"):
        if not unremovable:
            raise Wrong(f"{path} is left")
        return
    if name.endswith(".h5"):
        return  # whether it is good is seen when the run goes on from it
    if path not in good:
        raise Wrong(f"{path} is not written without faults")
    text, whole = found[path], good[path]
    if name == "summary.json":
        json.loads(text)
    elif name in ("series.csv", "timings.csv") or path.startswith("out/solids/") and name.endswith(".csv"):
        if not rows_are_whole(text, whole, unremovable):
            raise Wrong(f"{path} has torn rows")
        if name != "timings.csv" and not whole.startswith(text):
            raise Wrong(f"{path} has other rows")
    elif name.endswith(".pvd"):
        for data in xml.etree.ElementTree.fromstring(text).iter("DataSet"):
            listed = os.path.join(os.path.dirname(path), data.get("file"))
            if listed not in found and not unremovable:
                raise Wrong(f"{path} lists {listed}, which is not there")
    elif name == "stdout":
        if not whole.startswith(text):
            raise Wrong("other things are printed")
    elif text != whole:
        raise Wrong(f"{path} differs")


def without_times(files):
    """Those that have no wall times in them, as checkpoints have."""
    return {path: text for path, text in files.items()
            if os.path.basename(path) not in ("timings.csv", "summary.json") and not path.endswith(".h5")}


def judge(folder, command, kind, at, good):
    fault, lasts, reason, unremovable = KINDS[kind]
    status, said, _ = run_faulty(folder, command, fault, at, lasts)
    if status not in (0, 1, 2):
        raise Wrong(f"status {status}; said: {said.strip()}")
    found = contents(folder)
    if command[0] == "check":
        said += found["stdout"].decode()
        found.pop("stdout")
        good = {}
    if status == 0:
        if not {p for p in good if p.endswith(".h5")} <= {*found} and "there is no checkpoint" not in said:
            raise Wrong(f"status 0 without a checkpoint, of which nothing is said: {said.strip()}")
        if unremovable and lasts:  # a checkpoint that could not be written may leave its beginning
            found = {path: text for path, text in found.items() if not path.endswith(".partial")}
        if without_times(found) != without_times(good):
            raise Wrong("status 0, but what is written differs: "
                        f"{sorted(p for p in good if found.get(p) != good[p])}; said: {said.strip()}")
        return
    if not re.search(reason, said):
        raise Wrong(f"no \"{reason}\" in: {said.strip()}")
    if not re.match(r"(meniscus|--set|[\w./]+)[: ]", said):
        raise Wrong(f"it is not said by whom: {said.strip()}")
    for path in found:
        judge_file(path, found, good, unremovable and lasts)
    if command[0] == "run":
        work_again(folder, CASES["resume"], good)
    if command != CASES["resume"]:
        work_again(folder, command, good)


def work_again(folder, command, good):
    """A run goes on from what is left of it, if that has a checkpoint, and every command works when given anew."""
    if "--resume" in command and not glob.glob(os.path.join(folder, "out/checkpoints/*.h5")):
        return
    status, said, _ = run_faulty(folder, command, "ENOSPC", 0, False)
    found = contents(folder)
    if command[0] == "check":
        found.pop("stdout")
    if status != 0 or without_times(found) != without_times(good):
        raise Wrong(f"{' '.join(command[:2])} does not work afterwards: status {status}; said: {said.strip()}; other: "
                    f"{sorted(p for p in {*good, *found} if found.get(p) != good.get(p))}")


def prepare(folder):
    imported = copy.deepcopy(SCENE)
    imported["solids"]["plate"]["shape"] = {"kind": "mesh", "path": "mesh.obj"}
    for name, scene in (("scene.json", SCENE), ("imported.json", imported)):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(scene, file, indent=1)
    with open(os.path.join(folder, "mesh.obj"), "w") as file:
        file.write("v 0 0 0\nv 1e-3 0 0\nv 0 1e-3 0\nv 0 0 -1e-3\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n")


def fresh(parent, before, case):
    folder = tempfile.mkdtemp(dir=parent)
    prepare(folder)
    if before:
        os.symlink(before, os.path.join(folder, "before"))
    if case == "resume":
        run_faulty(folder, CASES["run"] + ["--steps", "2"], "ENOSPC", 0, False)
    return folder


def try_one(parent, before, case, kind, at, good):
    folder = fresh(parent, before, case)
    try:
        judge(folder, CASES[case], kind, at, good)
    except Wrong as wrong:
        return f"{case}, {kind}, call {at}: {wrong}"
    finally:
        shutil.rmtree(folder)
    return None


def good_run(parent, before, case, kind):
    """What a case leaves without faults, and how many calls can fail."""
    folder = fresh(parent, before, case)
    fault, lasts, _, _ = KINDS[kind]
    status, said, calls = run_faulty(folder, CASES[case], fault, 0, lasts)
    if status == SKIPPED:
        print(f"skipped: {said.strip()}")
        sys.exit(SKIPPED)
    if status != 0 and re.search("this build|not on the path", said):
        print(f"skipped: {said.strip()}")
        return folder, {}, 0
    if status != 0:
        sys.exit(f"{case} fails without a fault: {said}")
    return folder, contents(folder), calls


def main():
    parser = argparse.ArgumentParser(description="Runs the program with calls that fail.")
    parser.add_argument("--every", action="store_true", help="try every call")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("names", nargs="*", metavar="CASE|KIND", help="only these: " + ", ".join([*CASES, *KINDS]))
    arguments = parser.parse_args()
    cases = [name for name in CASES if name in arguments.names] or list(CASES)
    kinds = [name for name in KINDS if name in arguments.names] or list(KINDS)
    parent = tempfile.mkdtemp(prefix="meniscus-faults-")
    failures = 0
    try:
        first, _, _ = good_run(parent, None, "run", "full")
        before = os.path.join(first, "out")
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for case in cases:
                for kind in kinds:
                    _, good, calls = good_run(parent, before, case, kind)
                    step = 1 if arguments.every else max(1, calls // TRIED.get(case, TRIED_ELSE))
                    tried = range(1 + (step - 1) // 2, calls + 1, step)
                    wrong = [w for w in pool.map(lambda at: try_one(parent, before, case, kind, at, good), tried) if w]
                    print(f"{case}, {kind}: {len(tried)} of {calls} calls failed, {len(wrong)} wrong", flush=True)
                    for text in wrong:
                        print(f"FAILED: {text}")
                    failures += len(wrong)
    finally:
        shutil.rmtree(parent)
    sys.exit(1 if failures else 0)


main()

"""Measures the program beside the tools that a user would take instead, on loopback; scripts/bench starts it."""
import argparse
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from commands import Case, Command
from files import ServedFiles
from measuring import Measuring
from peers import OTHERS, PEERS, VERSIONS
from place import OutputPlace
from results import Outcome, Row, machine
from server import Server
from subjects import floors, runner
from workloads import WORKLOADS, chosen

PROGRAMS = {"launch": [], "touch": [], "path": [], "sockets": ["-lcrypto", "-lpthread"], "multi": ["-lcurl", "-lcrypto"]}
# Asking for a version takes milliseconds: more rounds, so that the median means something.
VERSION_ROUNDS = 10


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", allow_abbrev=False, description=__doc__)
    parser.add_argument("--workloads", metavar="A,B", help="which of them; all by default")
    parser.add_argument("--tools", metavar="A,B", help="which tools, runner among them; all by default")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each tool; 5 by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the results go as JSON")
    parser.add_argument("--list", action="store_true", help="names workloads and tools, and measures nothing")
    parser.add_argument("--runner", action="append", metavar="[NAME=]PATH",
                        help="a program to measure in place of the one built here; several are told apart by NAME")
    parser.add_argument("--no-floors", action="store_true", help="leaves out what the machine itself costs")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X",
                        help="a share of the files, to see that everything works; the figures mean nothing then")
    parser.add_argument("--folder", type=Path, required=True, metavar="DIR",
                        help="where files to serve, programs and outputs are kept")
    parser.add_argument("--output", type=Path, metavar="DIR", help="where tools write, in place of a file system of their own")
    return parser.parse_args()


def show_list():
    print("workloads:")
    for workload in WORKLOADS:
        print(f"  {workload.name:14} {workload.title}")
    print(f"tools: runner, {', '.join([*PEERS, *OTHERS])}")


def subjects(given):
    """The programs to measure, by name."""
    found = {}
    for one in given or []:
        name, mark, path = one.partition("=")
        if not mark:
            name, path = "runner", one
        path = Path(path).resolve()
        if not path.exists():
            raise SystemExit(f"bench: there is no program {path}")
        found[name] = str(path)
    return found


def build_programs(folder):
    source = Path(__file__).resolve().parent / "native"
    programs = folder / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    for name, libraries in PROGRAMS.items():
        draft = programs / f"{name}.new"
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", draft, source / f"{name}.c", *libraries], check=True)
        draft.rename(programs / name)
    return programs


def commands(case, tools, programs, with_floors):
    """Name to kind and command, for what takes part in a workload."""
    found = {}
    for name, path in programs.items():
        version = Command([path, "--version"], leaves_files=False)
        found[name] = "runner", runner(path)(case) if case.files else version
    if not case.files:
        found |= {name: ("peer", Command(line, leaves_files=False)) for name, line in VERSIONS.items()}
    else:
        for kind, group in (("peer", PEERS), ("other", OTHERS)):
            found |= {name: (kind, make(case)) for name, make in group.items()}
    found = {name: made for name, made in found.items() if made[1] and (not tools or name in tools)}
    if with_floors:
        found |= {name: ("floor", command) for name, command in floors(case).items()}
    return found


def measure(case, entries, measuring, rounds):
    """All tools in turn, round after round; one that went wrong is not asked again."""
    samples = {name: [] for name in entries}
    for _ in range(rounds if case.files else rounds * VERSION_ROUNDS):
        for name, (_, command) in entries.items():
            if any(sample.fault for sample in samples[name]):
                continue
            samples[name].append(measuring.run(case, name, command))
    measuring.end_workload()
    return Outcome(case, [Row(name, kind, command, samples[name]) for name, (kind, command) in entries.items()])


def version(line):
    said = subprocess.run(line, capture_output=True, text=True, check=False).stdout.splitlines()
    return said[0].strip() if said else ""


def main():
    # So that a table is seen when it is made, also through a pipe.
    sys.stdout.reconfigure(line_buffering=True)
    options = arguments()
    if options.list:
        show_list()
        return 0
    workloads = chosen(options.workloads)
    programs_to_measure = subjects(options.runner)
    tools = set(options.tools.split(",")) if options.tools else None
    unknown = (tools or set()) - {*PEERS, *OTHERS, *programs_to_measure}
    if unknown:
        raise SystemExit(f"bench: unknown tools: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    folder = (options.folder / f"scale-{options.scale:g}").resolve()
    programs = build_programs(folder)
    sets = {name: ServedFiles(name, folder, options.scale) for name in {w.files for w in workloads if w.files}}
    for files in sets.values():
        files.make()
    place = OutputPlace(folder, options.output and options.output.resolve())
    server = Server(folder, programs)
    document = {"schema": "runner.bench/1", "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "machine": machine(), "rounds": options.rounds, "scale": options.scale,
                "versions": {name: version(line) for name, line in VERSIONS.items()}, "workloads": []}
    print("{processor}, {cores} cores, kernel {kernel}, load {load}".format(**document["machine"])
          + f"; {options.rounds} rounds")
    if options.scale != 1:
        print(f"scaled to {options.scale:g} of the files: these figures mean nothing")
    try:
        place.open()
        document["own_file_system"] = place.is_own
        server.start()
        measuring = Measuring(programs, server, place)
        for workload in workloads:
            files = sets.get(workload.files)
            if files:
                files.warm()
            case = Case(workload, files, server, folder, programs)
            entries = commands(case, tools, programs_to_measure, not options.no_floors)
            outcome = measure(case, entries, measuring, options.rounds)
            outcome.show()
            document["workloads"].append(outcome.data())
            if options.json:
                options.json.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    finally:
        server.stop()
        place.close()
        shutil.rmtree(folder / "lists", ignore_errors=True)
    failed = [row["tool"] for one in document["workloads"] for row in one["rows"] if row.get("fault")]
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

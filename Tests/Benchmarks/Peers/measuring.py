"""One run of one tool: what it cost, and whether it did what it should."""
import hashlib
import os
import subprocess
from dataclasses import asdict, dataclass

from place import touch_memory
from subjects import OWN_NAMES

LIMIT_SECONDS = 300


@dataclass
class Sample:
    wall: float
    cpu: float
    memory: int  # bytes, of the largest single process
    server: float  # CPU seconds of the server and the proxies
    other: float  # CPU seconds of everything else on the machine
    fault: str = ""


def busy_seconds():
    """CPU seconds that the whole machine was busy."""
    with open("/proc/stat") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    idle = fields[3] + fields[4]
    return (sum(fields) - idle) / os.sysconf("SC_CLK_TCK")


def stamps(folder):
    """What shows that a file was made anew."""
    return {entry.name: (entry.stat().st_ino, entry.stat().st_mtime_ns)
            for entry in os.scandir(folder) if entry.name not in OWN_NAMES}


class Measuring:
    def __init__(self, programs, server, place):
        self.programs = programs
        self.server = server
        self.place = place
        self.log = place.folder / f"log-{os.getpid()}"
        self.hashed = set()
        self.prepared = {}

    def run(self, case, tool, command):
        """Measures one run; where all is there already, every run of a tool uses the folder of its first."""
        key = (case.workload.name, tool)
        folder = self.prepared.get(key) or self.place.fresh()
        if command.before and key not in self.prepared:
            self.prepared[key] = folder
            first = self._launch(command, command.before, folder)
            if first.fault:
                return first
        before = stamps(folder) if command.before else {}
        self.place.settle()
        touch_memory(self.programs, case.files.bytes if case.files else 0)
        sample = self._timed(command, folder)
        if not sample.fault and command.leaves_files:
            sample.fault = self._fault(case, tool, folder)
        if not sample.fault and command.before and stamps(folder) != before:
            sample.fault = "made files anew that had not changed"
        if not command.before:
            self.place.drop(folder)
        return sample

    def end_workload(self):
        for folder in self.prepared.values():
            self.place.drop(folder)
        self.prepared = {}
        self.place.end_workload()
        self.log.unlink(missing_ok=True)

    def _timed(self, command, folder):
        server, busy = self.server.seconds(), busy_seconds()
        sample = self._launch(command, command.arguments, folder)
        sample.server = self.server.seconds() - server
        sample.other = max(0.0, busy_seconds() - busy - sample.server - sample.cpu)
        return sample

    def _launch(self, command, arguments, folder):
        launcher = [self.programs / "launch", str(LIMIT_SECONDS), self.log, *arguments]
        environment = {**os.environ, **command.environment}
        with subprocess.Popen(launcher, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                costs, _ = process.communicate()
            except BaseException:
                # A kill of the launcher would leave the tool running; on this signal it takes it along.
                process.terminate()
                raise
        wall, user, system, memory, status = costs.split()
        sample = Sample(float(wall), float(user) + float(system), int(memory) * 1024, 0.0, 0.0)
        if status != "0":
            said = self.log.read_text(errors="replace").strip().splitlines()[-1:]
            sample.fault = f"status {status} {' '.join(said)[:200]}".strip()
        return sample

    def _fault(self, case, tool, folder):
        files = case.files
        found = {entry.name: entry.stat().st_size for entry in os.scandir(folder) if entry.name not in OWN_NAMES}
        wanted = dict.fromkeys(files.names, files.size)
        if found != wanted:
            wrong = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
            return f"{len(wrong)} files are not as they should be, such as {wrong[0]}"
        if (case.workload.name, tool) in self.hashed:
            return ""
        for name, digest in files.digests.items():
            with open(folder / name, "rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                    return f"{name} has other bytes"
        self.hashed.add((case.workload.name, tool))
        return ""


def as_data(sample):
    data = asdict(sample)
    if not sample.fault:
        del data["fault"]
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in data.items()}

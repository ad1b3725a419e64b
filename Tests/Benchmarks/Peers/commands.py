"""A command line to measure, and small pieces that several of them are made of."""
import os
import shlex
from dataclasses import dataclass, field

CORES = os.cpu_count() or 1


@dataclass
class Command:
    """What is run in an empty folder, and what has to be run there first, outside the timing."""

    arguments: list
    environment: dict = field(default_factory=dict)
    before: list = None
    leaves_files: bool = True  # its folder is looked at when it has ended

    @property
    def text(self):
        return " ".join([f"{name}={value}" for name, value in self.environment.items()] + [shlex.join(self.arguments)])


def shell(*lines):
    return ["sh", "-c", " && ".join(lines)]


class Case:
    """A workload with its files, its server, and the lists that commands read."""

    def __init__(self, workload, files, server, folder, programs):
        self.workload = workload
        self.files = files
        self.base = server.base(workload) if files else ""
        self.port = server.ports[workload.server]
        self.certificate = str(server.certificate)
        self.folder = folder / "lists"
        self.programs = programs

    @property
    def url(self):
        """The one URL of a workload with a single file."""
        return self.base + self.files.names[0]

    @property
    def name(self):
        return self.files.names[0]

    def list(self, kind, line, names=None):
        """The path of a list with a line for each file; `line` is given name, URL and digest."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / f"{self.workload.name}.{kind}"
        with open(path, "w") as file:
            for name in names or self.files.names:
                file.write(line(name, self.base + name, self.files.digests[name]))
        return str(path)

    @property
    def names(self):
        return self.list("names", lambda name, url, digest: f"{name}\n")

    @property
    def urls(self):
        return self.list("urls", lambda name, url, digest: f"{url}\n")

    def check(self, folder="."):
        """The shell's line for the fastest digest tool: openssl, which uses the processor's SHA instructions where
        Debian's sha256sum does not; one at a time for each core."""
        sums = self.list("sums", lambda name, url, digest: f"{digest} *{name}\n")
        each = max(1, min(8, -(-self.files.count // CORES)))
        digest = f"xargs -a {shlex.quote(self.names)} -P {CORES} -n {each} openssl dgst -sha256 -r"
        return f"cd {shlex.quote(str(folder))} && {digest} | LC_ALL=C sort -k 2 | cmp - {shlex.quote(sums)}"

    def command(self, arguments, environment=None, again=None):
        """A tool without digests of its own: what checks them runs behind it, as a user would have it."""
        first = arguments
        if self.workload.again:
            arguments = again or arguments
        if self.workload.digest:
            arguments = shell(shlex.join(arguments), self.check())
        return Command(arguments, environment or {}, before=first if self.workload.again else None)

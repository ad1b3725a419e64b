"""What is measured: sets of files, workloads on them, and what is wanted of the program in each."""
from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

# Folder on the server: how many files of what size.
SETS = {
    "small": (10_000, 4 * KIB),
    "medium": (64, 8 * MIB),
    "large": (1, 2 * GIB),
    "single": (1, 64 * MIB),
    "few": (500, 4 * KIB),
}


@dataclass(frozen=True)
class Target:
    """At most `ratio` times the wall time of `against`: a tool's name, a floor's, or the best of the peers."""

    ratio: float
    against: str = "best"


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    files: str = ""  # a key of SETS; none: the tool's version is asked for
    server: str = "plain"  # which listener: plain, tls, slow, far, far-tls
    connections: int = 1
    digest: bool = False  # every file has to match its SHA-256
    segments: int = 0  # more than one connection for a file
    again: bool = False  # everything is there already and has not changed
    targets: tuple = (Target(1.0),)

    @property
    def tls(self):
        return self.server.endswith("tls")

    @property
    def single(self):
        return bool(self.files) and SETS[self.files][0] == 1


WORKLOADS = [
    Workload("small", "10,000 × 4 KiB, HTTP/1.1, 16 at once", "small", connections=16,
             targets=(Target(1.0), Target(2.0, "floor:sockets"))),
    Workload("small-tls", "10,000 × 4 KiB over TLS, HTTP/2 where the tool can, 16 at once", "small", "tls", 16),
    Workload("medium", "64 × 8 MiB, 8 at once", "medium", connections=8),
    Workload("medium-digest", "64 × 8 MiB, 8 at once, each with SHA-256", "medium", connections=8, digest=True,
             targets=(Target(0.9),)),
    Workload("large", "2 GiB, one connection", "large",
             targets=(Target(1.3), Target(1.0, "curl"), Target(1.0, "wget2"), Target(1.0, "aria2"))),
    Workload("large-tls", "2 GiB over TLS, one connection", "large", "tls"),
    Workload("large-digest", "2 GiB, one connection, with SHA-256", "large", digest=True, targets=(Target(0.8),)),
    Workload("throttled", "64 MiB at 4 MiB/s a connection, up to 8 connections", "single", "slow", segments=8,
             targets=(Target(1.05),)),
    Workload("distant", "500 × 4 KiB, 100 ms round trip, 16 at once", "few", "far", 16),
    Workload("distant-tls", "500 × 4 KiB over TLS, 100 ms round trip, 16 at once", "few", "far-tls", 16),
    Workload("medium-again", "64 × 8 MiB, all there and unchanged: read and verified", "medium", connections=8,
             digest=True, again=True),
    Workload("small-again", "10,000 × 4 KiB, all there and unchanged: what is recorded of them is trusted", "small",
             connections=16, again=True, targets=(Target(0.4), Target(1.0, "ninja"))),
    Workload("version", "the version is asked for", targets=(Target(1.5, "curl"),)),
]


def chosen(names):
    """The workloads of a comma-separated list, in their own order; all of them without one."""
    if not names:
        return WORKLOADS
    wanted = names.split(",")
    known = {workload.name for workload in WORKLOADS}
    for name in wanted:
        if name not in known:
            raise SystemExit(f"bench: there is no workload {name}; known are {', '.join(sorted(known))}")
    return [workload for workload in WORKLOADS if workload.name in wanted]

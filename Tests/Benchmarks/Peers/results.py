"""Medians, ratios, targets; as a table and as data."""
import os
import platform
import statistics

from measuring import as_data
from workloads import MIB

# Beyond the wall time: CPU seconds against those of the best peer, and memory.
CPU_RATIO = 1.1
MOST_MEMORY = 30 * MIB
# A row is called noisy when so many cores were busy with something else.
NOISY_CORES = 0.2


class Row:
    """One tool in one workload."""

    def __init__(self, tool, kind, command, samples):
        self.tool = tool
        self.kind = kind  # runner, peer, other, floor
        self.command = command
        self.samples = samples
        self.fault = next((sample.fault for sample in samples if sample.fault), "")
        self.ratio = None
        if not self.fault:
            middle = lambda field: statistics.median(getattr(sample, field) for sample in samples)
            self.wall, self.cpu, self.memory = middle("wall"), middle("cpu"), middle("memory")
            self.server, self.other = middle("server"), middle("other")
            self.span = min(sample.wall for sample in samples), max(sample.wall for sample in samples)

    @property
    def is_noisy(self):
        return self.other > NOISY_CORES * self.wall and self.other > 0.02

    def data(self):
        data = {"tool": self.tool, "kind": self.kind, "command": self.command.text}
        if self.fault:
            data["fault"] = self.fault
        else:
            data |= {"wall": round(self.wall, 6), "cpu": round(self.cpu, 6), "memory": int(self.memory),
                     "ratio": self.ratio and round(self.ratio, 4)}
        return data | {"runs": [as_data(sample) for sample in self.samples]}


class Outcome:
    """All rows of one workload, with the best peer, and what became of the targets."""

    def __init__(self, case, rows):
        self.case = case
        self.rows = rows
        right = [row for row in rows if not row.fault]
        self.best = min((row for row in right if row.kind == "peer"), key=lambda row: row.wall, default=None)
        for row in right:
            row.ratio = row.wall / self.best.wall if self.best else None
        self.targets = [target for row in rows if row.kind == "runner" for target in self._targets(row)]

    def _targets(self, row):
        """What was wanted of the program, what it came to, and whether that is enough."""
        if row.fault:
            return [(row.tool, "a right result", row.fault, False)]
        found = []
        for target in self.case.workload.targets:
            against = self.best if target.against == "best" else self._row(target.against)
            if against is None:
                continue
            ratio = row.wall / against.wall
            name = f"best peer ({against.tool})" if target.against == "best" else target.against
            found.append((row.tool, f"wall ≤ {target.ratio:g} × {name}", f"{ratio:.2f} ×", ratio <= target.ratio))
        # Of a version, the tool that its time is compared with; the fastest may do next to nothing.
        rival = self.best if self.case.workload.files else self._row(self.case.workload.targets[0].against)
        if rival and rival.cpu > 0:
            ratio = row.cpu / rival.cpu
            found.append((row.tool, f"CPU ≤ {CPU_RATIO:g} × {rival.tool}", f"{ratio:.2f} ×", ratio <= CPU_RATIO))
        found.append((row.tool, f"memory ≤ {MOST_MEMORY // MIB} MiB", f"{row.memory / MIB:.1f} MiB",
                      row.memory <= MOST_MEMORY))
        return found

    def _row(self, tool):
        return next((row for row in self.rows if row.tool == tool and not row.fault), None)

    def show(self):
        workload = self.case.workload
        print(f"\n{workload.name}: {workload.title}")
        print(f"  {'':20} {'wall s':>8} {'from':>8} {'to':>8} {'ratio':>6} {'CPU s':>7} {'MiB':>7} {'server':>7} {'other':>6}")
        for row in sorted(self.rows, key=lambda row: (bool(row.fault), row.wall if not row.fault else 0)):
            if row.fault:
                print(f"  {row.tool:20} FAILED: {row.fault}")
                continue
            ratio = f"{row.ratio:6.2f}" if row.ratio else f"{'':6}"
            mark = "  noisy" if row.is_noisy else ""
            print(f"  {row.tool:20} {row.wall:8.3f} {row.span[0]:8.3f} {row.span[1]:8.3f} {ratio} {row.cpu:7.3f} "
                  f"{row.memory / MIB:7.1f} {row.server:7.2f} {row.other:6.2f}{mark}")
        for tool, wanted, came, is_met in self.targets:
            print(f"  {'met   ' if is_met else 'MISSED'} {tool}: {wanted}; {came}")

    def data(self):
        workload, files = self.case.workload, self.case.files
        return {
            "name": workload.name, "title": workload.title, "connections": workload.connections,
            "files": files.count if files else 0, "bytes": files.bytes if files else 0,
            "best_peer": self.best and self.best.tool, "rows": [row.data() for row in self.rows],
            "targets": [{"tool": tool, "wanted": wanted, "came": came, "met": is_met}
                        for tool, wanted, came, is_met in self.targets],
        }


def machine():
    """The machine in general words."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) * 1024
    return {"processor": models[0] if models else platform.machine(), "cores": os.cpu_count(), "memory": memory,
            "kernel": platform.release(), "load": round(os.getloadavg()[0], 2)}

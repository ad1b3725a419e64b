"""Where tools write: a file system of its own, and memory that is warm."""
import os
import shutil
import subprocess

from workloads import GIB, MIB


class OutputPlace:
    """A folder for outputs, on an ext4 with a journal in a loop device where this may be mounted.

    An ext4 without a journal does not give an inode out again for minutes after it was freed, and walks over all such
    inodes for every new file: whoever makes 10,000 files after 10,000 were removed looks ten times as slow. And a sync
    of a shared file system waits for what others wrote.
    """

    def __init__(self, folder, other=None):
        self.folder = other or folder / "out"
        self.image = folder / "out.img"
        self.is_own = False
        self.is_given = other is not None
        self.number = 0
        self.kept = []

    def open(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.is_given or os.geteuid() != 0:
            reason = "as asked" if self.is_given else "only root may mount one"
            print(f"bench: outputs go to {self.folder}, not to a file system of their own ({reason})")
            return
        problem = self._mount()
        self.is_own = problem is None
        if problem:
            print(f"bench: outputs go to {self.folder}, not to a file system of their own: {problem}")

    def close(self):
        for folder in self.kept:
            shutil.rmtree(folder, ignore_errors=True)
        if self.is_own:
            subprocess.run(["umount", self.folder], check=False)

    def fresh(self):
        """An empty folder that was never used."""
        self.number += 1
        folder = self.folder / f"run-{os.getpid()}-{self.number}"
        folder.mkdir()
        return folder

    def drop(self, folder):
        """Removes a folder; where that would cost the next tool time, only at the end of the workload."""
        if self.is_own or sum(1 for _ in os.scandir(folder)) < 200:
            shutil.rmtree(folder)
        else:
            self.kept.append(folder)

    def end_workload(self):
        for folder in self.kept:
            shutil.rmtree(folder)
        self.kept = []

    def settle(self):
        """Waits until what was written before is on the disk."""
        subprocess.run(["sync", "--file-system", self.folder], check=True)

    def _mount(self):
        if os.path.ismount(self.folder):
            subprocess.run(["umount", self.folder], check=False)
        if not self.image.exists():
            draft = self.image.with_suffix(".new")
            with open(draft, "wb") as file:
                file.truncate(10 * GIB)
            options = ["-q", "-F", "-m", "0", "-N", "800000", "-E", "lazy_itable_init=0,lazy_journal_init=0"]
            made = subprocess.run(["mkfs.ext4", *options, draft], capture_output=True, text=True)
            if made.returncode != 0:
                return made.stderr.strip()
            draft.rename(self.image)
        mounted = subprocess.run(["mount", "-o", "loop,noatime", self.image, self.folder], capture_output=True, text=True)
        if mounted.returncode != 0:
            return mounted.stderr.strip()
        # A run that was killed may have left something.
        for left in self.folder.glob("run-*"):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink()
        return None


def touch_memory(programs, wanted):
    """Uses as much memory as a run will need, at most half of what is there, and frees it."""
    with open("/proc/meminfo") as file:
        lines = dict(line.split(":") for line in file)
    available = int(lines["MemAvailable"].split()[0]) * 1024
    subprocess.run([programs / "touch", str(min(wanted + 256 * MIB, available // 2))], check=True)

"""The files that are served: the same on every machine, made once."""
import hashlib
import random

from workloads import MIB, SETS


class ServedFiles:
    """One set of files below the server's root, with the lists of them that tools read."""

    def __init__(self, name, folder, scale):
        count, size = SETS[name]
        # A scaled-down run shows that everything works; its figures mean nothing.
        self.count = max(1, int(count * scale)) if count > 1 else 1
        self.size = size if count > 1 else max(MIB, int(size * scale))
        self.name = name
        self.folder = folder / "www" / name
        self.sums = folder / f"{name}.sums"
        self.names = [f"f{index:05}.bin" for index in range(self.count)]
        self.digests = {}

    @property
    def bytes(self):
        return self.count * self.size

    def make(self):
        """Makes what is missing and learns the digests."""
        known = dict(reversed(line.split(" *")) for line in self._lines())
        if list(known) != self.names or any(not self._is_whole(name) for name in self.names):
            print(f"bench: making {self.count} files of {self.size} bytes to serve")
            known = self._generate()
        self.digests = known

    def warm(self):
        """Reads all files once, so that the server has them in memory."""
        for name in self.names:
            with open(self.folder / name, "rb", buffering=0) as file:
                while file.read(MIB):
                    pass

    def _lines(self):
        return self.sums.read_text().splitlines() if self.sums.exists() else []

    def _is_whole(self, name):
        path = self.folder / name
        return path.exists() and path.stat().st_size == self.size

    def _generate(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.iterdir():
            path.unlink()
        generator = random.Random(f"runner {self.name}")
        digests = {}
        for name in self.names:
            digest = hashlib.sha256()
            with open(self.folder / name, "wb") as file:
                for start in range(0, self.size, MIB):
                    piece = generator.randbytes(min(MIB, self.size - start))
                    digest.update(piece)
                    file.write(piece)
            digests[name] = digest.hexdigest()
        self.sums.write_text("".join(f"{digest} *{name}\n" for name, digest in digests.items()))
        return digests

"""An FTP server on loopback for the tests; scripts/test starts it.

    ftp_server.py FOLDER PORT-FILE

The user `reader` with the password `pass word` may read FOLDER, and write below `drop`; anybody may read `open` below it. When a file below
`cut` is asked for the first time, its connection ends after 256 KiB. Below `drop`, the folder `full` takes no more than
256 KiB of a file, and files in `fixed` cannot be renamed. The port is written into PORT-FILE once the server
listens.
"""

import errno
import os
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import DTPHandler, FTPHandler
from pyftpdlib.servers import FTPServer

CUT_AFTER = 256 << 10


class Channel(DTPHandler):
    """The connection that a file is sent over."""

    def send(self, data):
        if self.cmd_channel.cuts and self.tot_bytes_sent >= CUT_AFTER:
            self.close()
            return 0
        return super().send(data)

    def recv(self, size):
        if self.cmd_channel.fills and self.tot_bytes_received >= CUT_AFTER:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().recv(size)


class Handler(FTPHandler):
    """The connection that commands come on."""

    dtp_handler = Channel
    # sendfile(2) would go past `send`.
    use_sendfile = False
    cuts = False
    fills = False
    asked = set()

    def ftp_RETR(self, file):
        self.cuts = "/cut/" in file and file not in self.asked
        self.asked.add(file)
        return super().ftp_RETR(file)

    def ftp_STOR(self, file, mode="w"):
        self.fills = "/full/" in file
        return super().ftp_STOR(file, mode)

    def ftp_RNFR(self, path):
        if "/fixed/" in path:
            self.respond("553 Names stay here.")
            return None
        return super().ftp_RNFR(path)


def main(folder, port_file):
    authorizer = DummyAuthorizer()
    authorizer.add_user("reader", "pass word", folder, perm="elr")
    authorizer.override_perm("reader", os.path.join(folder, "drop"), "elradfmw", recursive=True)
    authorizer.add_anonymous(os.path.join(folder, "open"), perm="elr")
    Handler.authorizer = authorizer
    server = FTPServer(("127.0.0.1", 0), Handler)
    with open(port_file + ".new", "w", encoding="ascii") as file:
        file.write(str(server.address[1]))
    os.rename(port_file + ".new", port_file)
    server.serve_forever()


main(*sys.argv[1:])

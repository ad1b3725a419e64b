"""An FTP server on loopback for the tests; scripts/test starts it.

    ftp_server.py FOLDER PORT-FILE

The user `reader` with the password `pass word` may read FOLDER, and write below `drop`; anybody may read `open` below it. When a file below
`cut` is asked for the first time, its connection ends after 256 KiB. The port is written into PORT-FILE once the server
listens.
"""

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


class Handler(FTPHandler):
    """The connection that commands come on."""

    dtp_handler = Channel
    # sendfile(2) would go past `send`.
    use_sendfile = False
    cuts = False
    asked = set()

    def ftp_RETR(self, file):
        self.cuts = "/cut/" in file and file not in self.asked
        self.asked.add(file)
        return super().ftp_RETR(file)


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

"""A private nginx on loopback, with proxies before it that make the way slow or long."""
import os
import shutil
import socket
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")

CONFIGURATION = """\
daemon off;
{user}
worker_processes 2;
worker_rlimit_nofile 20000;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/temporary;
    proxy_temp_path {folder}/temporary;
    fastcgi_temp_path {folder}/temporary;
    uwsgi_temp_path {folder}/temporary;
    scgi_temp_path {folder}/temporary;
    default_type application/octet-stream;
    # The server is not what is measured: its part is kept small.
    sendfile on;
    tcp_nopush on;
    open_file_cache max=20000 inactive=1d;
    open_file_cache_valid 1d;
    keepalive_requests 10000000;
    keepalive_timeout 10m;
    # rclone and lftp read the listing of a folder.
    autoindex on;
    autoindex_exact_size on;
    root {root};
    server {{ listen 127.0.0.1:{plain} backlog=1024; }}
    server {{
        listen 127.0.0.1:{tls} ssl http2 backlog=1024;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        # As in the configuration that nginx comes with.
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_cache shared:sessions:10m;
        http2_max_concurrent_streams 256;
    }}
}}
"""

# Listener: the one behind it, milliseconds each way, bytes a second for each connection.
PROXIES = {"slow": ("plain", 0, 4 << 20), "far": ("plain", 50, 0), "far-tls": ("tls", 50, 0)}


def free_ports(count):
    """Ports that nobody listens on; held together, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Server:
    def __init__(self, folder, programs):
        self.root = folder / "www"
        self.folder = folder / "server"
        self.programs = programs
        self.certificate = self.folder / "certificate.pem"
        self.ports = {}
        self.started = []

    def start(self):
        (self.folder / "temporary").mkdir(parents=True, exist_ok=True)
        self.root.mkdir(exist_ok=True)
        self._make_certificate()
        for _ in range(5):
            if self._try_to_start():
                return
            self.stop()
        raise SystemExit(f"bench: nginx cannot be started; see {self.folder}/error.log")

    def stop(self):
        for process in self.started:
            process.terminate()
        for process in self.started:
            process.wait()
        self.started = []

    def base(self, workload):
        scheme = "https" if workload.tls else "http"
        return f"{scheme}://127.0.0.1:{self.ports[workload.server]}/{workload.files}/"

    def seconds(self):
        """CPU seconds of the server and the proxies since they were started."""
        total = 0
        for process in self.started:
            for pid in [process.pid, *self._children(process.pid)]:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def _children(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]

    def _make_certificate(self):
        if self.certificate.exists():
            return
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-days", "3650", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", self.folder / "key.pem", "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)

    def _try_to_start(self):
        names = ["plain", "tls", *PROXIES]
        self.ports = dict(zip(names, free_ports(len(names))))
        configuration = self.folder / "nginx.conf"
        # Workers must read a folder that belongs to whoever runs this.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(CONFIGURATION.format(user=user, folder=self.folder, root=self.root, **self.ports))
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        commands = [[nginx, "-p", self.folder, "-c", configuration, "-e", self.folder / "error.log"]]
        for name, (behind, delay, rate) in PROXIES.items():
            ports = [self.ports[name], self.ports[behind]]
            commands.append([self.programs / "path", *map(str, [*ports, delay, rate])])
        with open(self.folder / "output.log", "wb") as log:
            self.started = [subprocess.Popen(command, stdout=log, stderr=log) for command in commands]
        for _ in range(200):
            if all(answers(port) for port in self.ports.values()):
                return True
            if any(process.poll() is not None for process in self.started):
                return False
            time.sleep(0.05)
        return False

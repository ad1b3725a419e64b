"""The tools that a user would take instead, each with the best settings that were found for it.

A function returns None where a tool has no part in a workload. Versions are those of Debian 12.
"""
import shlex

from commands import Command
from workloads import MIB


def aria2(case):
    """Has digests of its own. It syncs every file, and has no option against that."""
    workload = case.workload
    arguments = [
        "aria2c", "--no-conf", "--quiet", "--dir=.", f"--max-concurrent-downloads={workload.connections}",
        "--file-allocation=none", "--auto-save-interval=0", "--disk-cache=0", "--async-dns=false", "--disable-ipv6",
        # Keeps neither a list of what is done nor one of what is to come.
        "--max-download-result=0", "--deferred-input=true", "--socket-recv-buffer-size=4M",
    ]
    if workload.segments:
        arguments += [f"--max-connection-per-server={workload.segments}", f"--split={workload.segments}",
                      "--min-split-size=1M"]
    if workload.tls:
        arguments.append(f"--ca-certificate={case.certificate}")

    def line(name, url, digest):
        return f"{url}\n  out={name}\n" + (f"  checksum=sha-256={digest}\n" if workload.digest else "")

    arguments.append("--input-file=" + case.list("aria2", line))
    if not workload.again:
        return Command(arguments)
    if workload.digest:
        return Command([*arguments, "--continue=true"], before=arguments)
    # Without a digest, --continue would ask for the end of every file and sync it.
    first = [*arguments, "--remote-time=true"]
    return Command([*first, "--conditional-get=true", "--allow-overwrite=true"], before=first)


def curl_arguments(case, connections):
    workload = case.workload
    arguments = ["curl", "--disable", "--fail", "--no-progress-meter"]
    if workload.tls:
        arguments += ["--cacert", case.certificate]
    if not workload.single:
        arguments += ["--parallel", "--parallel-max", str(connections)]
    elif workload.tls:
        arguments.append("--http1.1")  # HTTP/2 is slower for one stream
    return arguments


def curl_line(name, url, digest):
    return f'url = "{url}"\noutput = "{name}"\n'


def curl(case):
    """One thread; what it writes at a time cannot be set."""
    workload = case.workload
    if workload.segments:
        return None
    arguments = curl_arguments(case, workload.connections)
    if workload.single:
        return case.command([*arguments, "--output", case.name, case.url])
    if not workload.again:
        return case.command([*arguments, "--config", case.list("curl", curl_line)])

    def dated(name, url, digest):
        return curl_line(name, url, digest) + "remote-time\n"

    # A condition belongs to one URL; `next` ends the options of one.
    def conditional(name, url, digest):
        return dated(name, url, digest) + f'time-cond = "{name}"\nfail\nno-progress-meter\nnext\n'

    again = case.list("curl-again", conditional)
    with open(again) as file:
        text = file.read().removesuffix("next\n")
    with open(again, "w") as file:
        file.write(text)
    return case.command([*arguments, "--config", case.list("curl-dated", dated)],
                        again=[*arguments, "--config", again])


def curls(case):
    """Two curls with half of the list each: what a user with two cores may do."""
    workload = case.workload
    if workload.single or workload.again or not workload.files:
        return None
    arguments = curl_arguments(case, max(1, workload.connections // 2))
    halves = [case.list(f"curl-{half}", curl_line, case.files.names[half::2]) for half in (0, 1)]
    first, second = (shlex.join([*arguments, "--config", half]) for half in halves)
    script = f"{first} & other=$!; {second}; status=$?; wait $other && test $status = 0"
    return case.command(["sh", "-c", script])


def wget2(case):
    """Holds bodies in memory. With --no-clobber, 1.99.1 hangs when many files are there; so --timestamping."""
    workload = case.workload
    if workload.segments:
        return None  # opens one connection for a single file, whatever --chunk-size says
    arguments = ["wget2", "--no-config", "--quiet", "--no-xattr", "--no-hsts", "--no-robots", "--no-ocsp",
                 "--no-compression"]
    if workload.tls:
        arguments.append(f"--ca-certificate={case.certificate}")
    if workload.tls and not workload.single:
        # Two connections with half of the streams each are faster than sixteen with one.
        arguments += ["--max-threads=2", f"--http2-request-window={workload.connections // 2}"]
    else:
        arguments.append(f"--max-threads={workload.connections}")
        if workload.tls:
            arguments.append("--no-http2")  # twice as slow for one stream
    listed = ["--input-file", case.urls]
    return case.command([*arguments, *listed], again=[*arguments, "--timestamping", *listed])


def rclone(case):
    """Lists the folder first. What it does without is left out: a HEAD for each file, a look at the destination."""
    workload = case.workload
    many = case.files.count > 100
    arguments = ["rclone", "--config", "/dev/null", "copy", ":http:", ".", "--http-url", case.base, "--stats", "0",
                 "--transfers", str(workload.connections), "--checkers", str(workload.connections)]
    if workload.tls:
        arguments += ["--ca-cert", case.certificate]
        if workload.single:
            arguments.append("--disable-http2")  # slower for one stream
    if not workload.single:
        arguments += ["--buffer-size", "0"]
    elif workload.segments:
        arguments += ["--multi-thread-streams", str(workload.segments), "--multi-thread-cutoff", "1M"]
    else:
        arguments += ["--multi-thread-streams", "0"]
    first = [*arguments, "--no-check-dest"]
    if many and not workload.again:
        first.append("--http-no-head")
    # Fewer collections of garbage: a fifth of the time of many small files.
    return case.command(first, {"GOGC": "400"} if many else {}, again=arguments)


def lftp(case):
    workload = case.workload
    script = ["set cmd:fail-exit yes", "set net:max-retries 1", "set http:cache no"]
    if workload.tls:
        script.append(f"set ssl:ca-file {case.certificate}")
    if case.files.size > MIB:
        script += ["set xfer:buffer-size 1048576", "set net:socket-buffer 4194304"]
    if workload.segments:
        script.append(f"pget -n {workload.segments} {case.url} -o {case.name}")
    elif workload.single:
        script.append(f"get {case.url} -o {case.name}")
    else:
        script.append(f"mirror -P {workload.connections} --no-perms --no-symlinks --no-umask {case.base} .")
    return case.command(["lftp", "--norc", "-c", "; ".join(script)])


def axel(case):
    """One file a process. 2.17.11 says of a right certificate that its host is wrong, so it does not check it."""
    workload = case.workload
    if workload.again or case.files.count > 100:
        return None
    arguments = ["axel", "--quiet", "--num-connections", str(workload.segments or 1)]
    if workload.tls:
        arguments.append("--insecure")
    if workload.single:
        return case.command([*arguments, "--output", case.name, case.url])
    return case.command(["xargs", "-a", case.urls, "-P", str(workload.connections), "-n", "1", *arguments])


def ninja(case):
    """No peer: how long another program takes to find that 10,000 outputs need nothing."""
    workload = case.workload
    if not workload.again or workload.digest:
        return None
    rule = f"rule copy\n  command = cp {case.files.folder}/$out $out\n"
    plan = case.list("ninja", lambda name, url, digest: f"build {name}: copy\n")
    with open(plan) as file:
        edges = file.read()
    with open(plan, "w") as file:
        file.write(rule + edges)
    return Command(["ninja", "--quiet", "-f", plan], before=["ninja", "--quiet", "-f", plan])


PEERS = {"aria2": aria2, "curl": curl, "curl-twice": curls, "wget2": wget2, "rclone": rclone, "lftp": lftp, "axel": axel}
OTHERS = {"ninja": ninja}

VERSIONS = {
    "aria2": ["aria2c", "--no-conf", "--version"],
    "curl": ["curl", "--disable", "--version"],
    "wget2": ["wget2", "--no-config", "--version"],
    "rclone": ["rclone", "--config", "/dev/null", "version"],
    "lftp": ["lftp", "--norc", "--version"],
    "axel": ["axel", "--version"],
}

"""The program itself, and the floors: what the machine, libcurl and the digest cost without it."""
import shlex

from commands import CORES, Command, shell


def runner_job(case):
    """The job file of a workload."""
    workload = case.workload
    most = workload.segments or workload.connections
    lines = ["version: 1", f"limits: {{concurrency: {most}, per_host: {most}}}"]
    if workload.tls:
        lines.append(f"defaults: {{tls: {{ca: {case.certificate}}}}}")
    lines.append("tasks:")
    for name in case.files.names:
        fields = [f'download: "{case.base}{name}"', f"to: {name}"]
        if workload.segments:
            fields.append(f"segments: {workload.segments}")
        # Without a digest, a second run would ask the server about every file.
        if workload.digest or workload.again:
            fields.append(f"sha256: {case.files.digests[name]}")
        lines.append(f"  - {{{', '.join(fields)}}}")
    return "\n".join(lines) + "\n"


def runner(path):
    """Everything is on: part files, publishing, ledger, report, and the digest where the workload has one."""

    def make(case):
        case.folder.mkdir(exist_ok=True)
        job = case.folder / f"{case.workload.name}.yaml"
        job.write_text(runner_job(case))
        arguments = [path, "run", str(job), "--directory", ".", "--report", ".runner-report.jsonl", "--quiet"]
        if not case.workload.again:
            return Command(arguments)
        # Read again what has to be verified; the ledger alone would spare it.
        again = [*arguments, "--rehash"] if case.workload.digest else arguments
        return Command(again, before=arguments)

    return make


# What the program, and ninja, leave beside the files.
OWN_NAMES = {".runner", ".runner-report.jsonl", ".ninja_log", ".ninja_deps"}


def floors(case):
    """Name to command; none of them is a way to do the work."""
    workload = case.workload
    if not workload.files:
        return {"floor:true": Command(["true"], leaves_files=False)}
    source = case.files.folder
    if workload.again:
        if workload.digest:
            return {"floor:digest": Command(shell(case.check(source)), leaves_files=False)}
        stat = f"cd {shlex.quote(str(source))} && xargs -a {shlex.quote(case.names)} stat --format=%s"
        return {"floor:stat": Command(["sh", "-c", stat], leaves_files=False)}
    if workload.segments:
        return {}
    made = {}
    way = "digest" if workload.digest else "plain"
    connections = str(workload.connections)
    if not workload.tls:
        paths = case.list("paths", lambda name, url, digest: f"/{workload.files}/{name} {name}\n")
        for threads, name in ((1, "floor:sockets"), (2, "floor:sockets-twice")):
            if threads == 1 or not workload.single:
                program = str(case.programs / "sockets")
                made[name] = Command([program, connections, str(threads), str(case.port), way, paths])
        if workload.files == "small":
            for threads, name in ((1, "floor:publish"), (2, "floor:publish-twice")):
                made[name] = Command([program, connections, str(threads), str(case.port), "publish", paths])
    listed = case.list("multi", lambda name, url, digest: f"{url} {name}\n")
    certificate = case.certificate if workload.tls else "-"
    made["floor:libcurl"] = Command([str(case.programs / "multi"), connections, certificate, way, listed])
    if workload.server == "plain":
        made["floor:cp"] = Command(["cp", "-r", f"{source}/.", "."])
        if workload.digest:
            made["floor:digest"] = Command(shell(case.check(source)), leaves_files=False)
    return made

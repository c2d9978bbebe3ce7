#!/usr/bin/env python3
"""catalogs.py PERMGATE FOLDER...: which calls of public catalogues pass in bypassPermissions without a question.

A FOLDER is a copy of redcanaryco/atomic-red-team, of which the tests of Linux and macOS count, or of tldr-pages/tldr, of which
the examples whose description begins with a verb of removal count. A sample of both is judged by `permgate check --lines`, in
another project each day; --seed makes it the same, --all takes everything. Nothing is executed."""
import argparse, collections, datetime, json, os, random, re, shutil, subprocess, tempfile

VERBS = ("remove|delete|destroy|drop|erase|wipe|purge|clear|clean|flush|reset|revert|discard|undo|overwrite|truncate|unpublish|"
         "uninstall|terminate|kill|stop|disable|revoke|format|shred|forget|prune|abandon|force")
TACTICS = re.compile(r"T(1485|1486|1489|1490|1491|1495|1496|1529|1531|1561|1565|1053|1037|1098|1136|1176|1543|1546|1547|1548|1554|"
                     r"1556|1562|1070|1003|1110|1552|1555|1539|1056|1020|1030|1041|1048|1567|1011|1537|1572|1090|1219|1105|1014)\b")

def atomic(folder):
    """Yields id and command of the tests for Linux and macOS, by the indentation of their YAML: no parser is needed."""
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if not re.fullmatch(r"T[\d.]+\.ya?ml", name) or not TACTICS.match(name):
                continue
            for n, test in enumerate(open(os.path.join(path, name), encoding="utf-8").read().split("\n- name: ")[1:], 1):
                systems = test.partition("supported_platforms:")[2].split(":")[0]
                command = re.search(r"\n  executor:.*?\n    command: *(\|[-+]?\n(?:      [^\n]*\n| *\n)*|[^\n]+)", test + "\n", re.S)
                shell = re.search(r"\n    name: *(\w+)", test.partition("\n  executor:")[2])
                if not command or not re.search(r"linux|macos", systems) or not shell or shell[1] not in ("sh", "bash"):
                    continue
                text = re.sub(r"^\|[-+]?\n", "", command[1])
                given = dict(re.findall(r"\n    (\w+):\n(?:      (?!default).*\n)*      default: *(.*)", test))
                text = re.sub(r"#\{(\w+)\}", lambda m: given.get(m[1], "x").strip("'\""), text)
                for line in re.sub(r"\\\n", " ", text).splitlines():
                    if line.strip() and not line.strip().startswith("#"):
                        yield f"{name.rsplit('.', 1)[0]}#{n}", line.strip()

def tldr(folder):
    """Yields page and command of the examples that take something away."""
    for path, _, names in os.walk(folder):
        if os.path.basename(path) not in ("common", "linux", "osx"):
            continue
        for name in sorted(names):
            for about, call in re.findall(r"^- (.*?):?\n\n`(.*)`", open(os.path.join(path, name), encoding="utf-8").read(), re.M):
                if re.match(rf"(\[\w\])?({VERBS})\b", about, re.I):
                    call = re.sub(r"\{\{\[([^|\]]*)\|?([^\]]*)\]\}\}", lambda m: m[2] or m[1], call)
                    yield name.removesuffix(".md"), re.sub(r"\{\{(.*?)\}\}", lambda m: m[1].split("|")[0].replace(" ...", ""), call)

def judge(permgate, calls):
    root = tempfile.mkdtemp(prefix=".catalogs-", dir=os.path.expanduser("~"))  # a temporary folder would be exempt
    try:
        home, project = root + "/home/dev", root + "/home/dev/app"
        os.makedirs(project)
        env = {"HOME": home, "PATH": os.environ["PATH"], "CLAUDE_PROJECT_DIR": project}
        subprocess.run(["git", "init", "-q", project], env=env, check=True)
        subprocess.run([permgate, "install", "--host", "claude", "--yes"], env=env, check=True, capture_output=True)
        lines = [json.dumps({"session_id": "s", "cwd": project, "permission_mode": "bypassPermissions", "hook_event_name": "PreToolUse",
                             "tool_name": "Bash", "tool_input": {"command": call}, "tool_use_id": "t"}) for _, call in calls]
        got = subprocess.run([permgate, "check", "--lines", "--host", "claude", "--home", home], input="\n".join(lines) + "\n",
                             capture_output=True, text=True, env=env, cwd=project)
        answers = [json.loads(line) for line in got.stdout.splitlines()]
        assert len(answers) == len(calls), got.stderr
        return [a.get("answer") or a.get("decision") or "silence" for a in answers]
    finally:
        shutil.rmtree(root)

def main():
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    p.add_argument("permgate")
    p.add_argument("folder", nargs="+")
    p.add_argument("--seed", default=str(datetime.date.today()))
    p.add_argument("--sample", type=int, default=200, help="calls of each folder")
    p.add_argument("--all", action="store_true")
    o = p.parse_args()
    for folder in o.folder:
        calls = sorted(set(atomic(folder)) | set(tldr(folder)))
        if not o.all:
            calls = random.Random(o.seed).sample(calls, min(o.sample, len(calls)))
        silent = [c for c, a in zip(calls, judge(os.path.abspath(o.permgate), calls)) if a in ("silence", "allow")]
        for where, call in sorted(silent):
            print(f"{where}\t{call}")
        first = collections.Counter(call.removeprefix("sudo ").split()[0] for _, call in silent)
        print(f"{folder}: {len(silent)} of {len(calls)} are silent (seed {o.seed}):", *(f"{k} {n}" for k, n in first.most_common(15)))

main()

#!/usr/bin/env python3
"""Runs the steps of action.yml, of a workflow, or the script of ci/gitlab.yml, as their runners would: one shell a step, the
expressions filled in, the files of GITHUB_PATH and GITHUB_OUTPUT read between steps. Steps that use another action
are not run; that they are pinned is looked at.

    ci_steps.py github TREE WORKSPACE key=value…    ci_steps.py gitlab TREE WORKSPACE key=value…
    ci_steps.py workflow TREE WORKSPACE key=value…  (TREE's .github/workflows/check.yml; what is given replaces its env)

Prints what the runner knows in the end as JSON. The exit code is the first failing step's."""

import json
import os
import pathlib
import re
import subprocess
import sys

import yaml


def github(tree, workspace, given):
    action = yaml.safe_load((tree / "action.yml").read_text())
    inputs = {name: str(spec.get("default", "")) for name, spec in action["inputs"].items()} | given
    missing = [n for n, spec in action["inputs"].items() if spec.get("required") and n not in given]
    if missing:
        sys.exit(f"inputs are missing: {missing}")
    temp = workspace / "runner-temp"
    temp.mkdir()
    files = {name: temp / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()
    known = {"runner.temp": str(temp), "runner.os": "Linux", "runner.arch": "X64", "github.action_ref": "v1"}
    known |= {f"inputs.{name}": value for name, value in inputs.items()}

    def fill(text):
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda m: known[m.group(1)], str(text))

    environment = os.environ | {name: str(file) for name, file in files.items()}
    environment |= {"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(tree)}
    code = 0
    for step in action["runs"]["steps"]:
        if "uses" in step:
            if not re.fullmatch(r"[\w.-]+/[\w./-]+@v?\w[\w.]*", step["uses"]):
                sys.exit(f"not pinned: {step['uses']}")
            for value in step.get("with", {}).values():
                fill(value)
            continue
        if "${{" in step["run"]:
            sys.exit("an expression inside a script could be code: it belongs into env")
        paths = files["GITHUB_PATH"].read_text().split()
        env = environment | {name: fill(value) for name, value in step.get("env", {}).items()}
        env["PATH"] = ":".join([*reversed(paths), env["PATH"]])
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        code = subprocess.run(script, cwd=workspace, env=env, stdout=sys.stderr).returncode
        if "id" in step:
            pairs = (line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
            known |= {f"steps.{step['id']}.outputs.{key}": value for key, value in pairs}
        if code:
            break
    outputs = {name: fill(spec["value"]) for name, spec in action["outputs"].items()} if code in (0, 1) else {}
    return code, {"outputs": outputs, "summary": files["GITHUB_STEP_SUMMARY"].read_text()}


def gitlab(tree, workspace, given):
    job = yaml.safe_load((tree / "ci" / "gitlab.yml").read_text())[".arbiter-check"]
    variables = {name: str(value) for name, value in job["variables"].items()} | given
    # GitLab runs all lines in one shell that ends at the first failure.
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    code = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        cwd=workspace, env=os.environ | variables, stdout=sys.stderr,
    ).returncode
    fill = lambda text: re.sub(r"\$(\w+)", lambda m: variables[m.group(1)], text)
    return code, {"artifacts": [fill(path) for path in job["artifacts"]["paths"]],
                  "junit": fill(job["artifacts"]["reports"]["junit"]), "cache": job["cache"]["paths"]}


def workflow(tree, workspace, given):
    job = yaml.safe_load((tree / ".github" / "workflows" / "check.yml").read_text())["jobs"]["check"]
    env = os.environ | {name: str(value) for name, value in job["env"].items()} | given
    for step in job["steps"]:
        if "uses" in step:
            if not re.fullmatch(r"[\w.-]+/[\w./-]+@v?\w[\w.]*", step["uses"]):
                sys.exit(f"not pinned: {step['uses']}")
            continue
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        code = subprocess.run(script, cwd=workspace, env=env, stdout=sys.stderr).returncode
        if code:
            break
    return code, {}


kind, tree, workspace, *pairs = sys.argv[1:]
run = {"github": github, "gitlab": gitlab, "workflow": workflow}[kind]
code, told = run(pathlib.Path(tree).resolve(), pathlib.Path(workspace).resolve(), dict(p.split("=", 1) for p in pairs))
print(json.dumps(told))
sys.exit(code)

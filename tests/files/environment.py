"""A virtual environment with what a test needs."""
import os
import subprocess
import sys


def enter(folder, packages):
    """Goes on in the environment, after pip has installed what it lacks: packages by the names of their modules."""
    python = os.path.join(folder, "bin", "python")
    if os.path.realpath(sys.prefix) == os.path.realpath(folder):
        return
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    modules = ", ".join(packages)
    if subprocess.run([python, "-c", f"import {modules}"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages.values()], check=True)
        subprocess.run([python, "-c", f"import {modules}"], check=True)
    os.execv(python, [python, *sys.argv])

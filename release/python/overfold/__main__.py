"""`python -m overfold` is the command `overfold`."""

import os
import subprocess
import sys

from overfold import program

if sys.platform == "win32":
    sys.exit(subprocess.call([program(), *sys.argv[1:]]))
os.execv(program(), ["overfold", *sys.argv[1:]])

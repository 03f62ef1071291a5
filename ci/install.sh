#!/bin/sh
# Builds the arbiter of this tree into DIR/bin, unless the very same one is there already (from a cache).
#   ci/install.sh DIR
set -eu
[ $# -eq 1 ] || { echo "usage: ci/install.sh DIR" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
# What a binary is made of is its name: a cache under another key never gives another arbiter.
stamp=$(cd "$tree" && find Cargo.toml Cargo.lock src protocol -type f -print0 | LC_ALL=C sort -z |
  xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
if [ -x "$dir/bin/arbiter" ] && [ "$(cat "$dir/stamp" 2>/dev/null)" = "$stamp" ]; then
  echo "arbiter is there already: $dir/bin/arbiter"
  exit 0
fi
command -v cargo >/dev/null || { echo "ci/install.sh: cargo is missing; rustup.rs installs it" >&2; exit 3; }
cargo install --quiet --locked --force --path "$tree" --root "$dir"
echo "$stamp" > "$dir/stamp"
"$dir/bin/arbiter" --version

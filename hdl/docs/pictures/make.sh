#!/bin/sh
# Makes the pictures of the documentation again: `sh hdl/docs/pictures/make.sh`, from the root of the source tree.
# Needs the command `bloomline` (or BLOOMLINE=path) and Chromium (Debian: apt-get install chromium).
set -eu
bloomline=${BLOOMLINE:-bloomline}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bloomline" quickstart --out "$work/quickstart"
"$bloomline" plan "$work/quickstart/onehit.toml" --html "$work/plan.html" >"$work/plan.txt"
python3 "$here/pipeline.py" >"$here/pipeline.svg"
# watch.svg is held by a test: BLOOMLINE_BLESS=1 cargo test --release -p bloomline --bin bloomline the_picture
shot() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=900,"$3" --screenshot="$here/$2" "file://$1" 2>"$work/chromium.log"
}
shot "$work/quickstart/onehit.html" report.png 1480
shot "$work/plan.html" plan.png 930

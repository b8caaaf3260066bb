#!/usr/bin/env bash
# Opens replay pages in a real headless Chromium: plays, scrubs, zooms, presses everything, and looks at what has changed.
#
#   browser.sh            what is missing is installed, where it can be
#   browser.sh --prepare  only that
#
# CHROMIUM names the browser and JOSTLE the command, if they are not where they usually are.
set -euo pipefail
cd "$(dirname "$0")/../../.."
target="${CARGO_TARGET_DIR:-target}"
mkdir -p "$target/replay-browser"
work="$(cd "$target/replay-browser" && pwd)"

cannot() {
  echo "$1" >&2
  exit 1
}

find_chromium() {
  echo "${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
}
packages=()
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
[ -n "$(find_chromium)" ] || packages+=(chromium fonts-dejavu-core)
if [ ${#packages[@]} != 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { timeout 120 apt-get update -qq && timeout 400 apt-get install -qq -y --no-install-recommends "${packages[@]}"; } >"$work/apt.log" 2>&1 || true
fi
{ command -v node && command -v npm; } >/dev/null || cannot "There are no node and npm here, and they cannot be installed."
chromium="$(find_chromium)"
[ -n "$chromium" ] || cannot "There is no Chromium here, and it cannot be installed."

# It drives a browser that is there already, and has no dependencies.
driver=playwright-core@1.65.1
if [ ! -d "$work/node_modules/playwright-core" ]; then
  timeout 200 npm install --prefix "$work" --no-audit --no-fund --silent "$driver" || cannot "$driver cannot be installed."
fi
[ "${1:-}" != --prepare ] || exit 0

jostle="${JOSTLE:-$target/debug/jostle}"
if [ ! -x "$jostle" ]; then
  cargo build -p jostle-cli --bin jostle
fi

pages="$work/pages"
rm -rf "$pages"
mkdir -p "$pages"
cave=(cave:48x32 --agents 40 --limit 120steps)
"$jostle" run "${cave[@]}" --planner jostle --replay "$pages/single.html" >/dev/null
"$jostle" run "${cave[@]}" --planner jostle,bmaa --replay "$pages/both.html" --json >/dev/null
"$jostle" run "${cave[@]}" --planner jostle,bmaa,bmaa-c,pibt --replay "$pages/four.html" --json >/dev/null
"$jostle" solve cave:24x24 --tasks 4 --replay "$pages/meetings.html" >/dev/null
# The game opens and closes cells, agents join and leave, and one is moved by the game.
cat >"$pages/open.map" <<'MAP'
type octile
height 5
width 12
map
@@@@@@@@@@@@
@..........@
@....@.....@
@..........@
@@@@@@@@@@@@
MAP
printf 'version 1\n0 open.map 12 5 1 1 10 3 9\n0 open.map 12 5 10 1 1 3 9\n' >"$pages/open.scen"
printf '1 wall (4,1)\n2 add 2 (1,2) to (9,2)\n3 add 3 (8,1) foreign\n4 floor (5,2)\n6 floor (4,1)\n7 remove 3\n8 send 0 (1,1)\n' >"$pages/open.script"
"$jostle" run "$pages/open.map" --scen "$pages/open.scen" --script "$pages/open.script" --planner jostle --paths "$pages/legal.txt" --replay "$pages/changes.html" >/dev/null
# A run in which two agents swap cells, as a faulty tool writes it.
printf 'starts=(1,1),(2,1),\ngoals=(3,1),(1,1),\nsolution=\n0:(1,1),(2,1),\n1:(1,2),(3,1),\n2:(1,1),(2,1),\n3:(2,1),(1,1),\n' >"$pages/swap.txt"
status=0
"$jostle" replay "$pages/open.map" "$pages/legal.txt" "$pages/swap.txt" --out "$pages/illegal.html" >/dev/null 2>"$pages/said" || status=$?
[ "$status" = 1 ] || { cat "$pages/said"; echo "jostle replay of an illegal run ended with $status"; exit 1; }

MODULES="$work/node_modules/" PAGES="$pages" CHROMIUM="$chromium" node --test crates/jostle-replay/tests/browser.mjs

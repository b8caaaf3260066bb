# shellcheck shell=bash
# What `.ci/run` is written with: steps that are timed, and things that must be there.

target="${CARGO_TARGET_DIR:-target}"
names=() seconds=() skipped=()

# step NAME COMMAND...: runs a command, and notes how long it takes. The gate ends with the first one that fails.
step() {
  local name="$1" began=$SECONDS
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  names+=("$name")
  "$@"
  seconds+=($((SECONDS - began)))
  printf -- '-- %s: %d s\n' "$name" "${seconds[-1]}"
}

# need WHAT HOW COMMAND...: whether the command can provide what a step needs. If it cannot, the gate fails and says how to get it; with
# ALLOW_SKIP=1, what needs it is skipped, and listed at the end.
need() {
  local what="$1" how="$2" log="$target/need.log" began=$SECONDS
  shift 2
  if "$@" >"$log" 2>&1; then
    if ((SECONDS - began > 4)); then
      names+=("getting $what")
      seconds+=($((SECONDS - began)))
    fi
    return 0
  fi
  if [ "${ALLOW_SKIP:-}" = 1 ]; then
    skipped+=("$what")
    printf '\n== Missing: %s. What needs it is skipped.\n' "$what"
    return 1
  fi
  tail -n 5 "$log" >&2
  printf '\nMissing: %s. To get it: %s. (ALLOW_SKIP=1 skips what needs it.)\n' "$what" "$how" >&2
  exit 1
}

# How long every step took, and how it ended. Called whatever the end.
summary() {
  local code=$? index
  printf '\nSeconds:\n'
  for index in "${!names[@]}"; do
    printf '%6s  %s\n' "${seconds[index]:-failed}" "${names[index]}"
  done
  printf '%6d  in all\n' "$SECONDS"
  printf '\nSteps: %d passed, %d failed, %d skipped\n' "${#seconds[@]}" "$((${#names[@]} - ${#seconds[@]}))" "${#skipped[@]}"
  if [ "$code" != 0 ]; then
    printf '\nFailed%s.\n' "${names[${#seconds[@]}]:+: ${names[${#seconds[@]}]}}"
  elif [ ${#skipped[@]} != 0 ]; then
    printf '\nSkipped: %s.\n' "$(printf '%s, ' "${skipped[@]}" | sed 's/, $//')"
  else
    printf '\nEverything passed.\n'
  fi
}

# debian PACKAGE...: installs packages, where this is Debian and we may. Lists may be old or missing, so they are looked up after a failure.
debian() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  local install=(timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@")
  "${install[@]}" || { timeout 120 apt-get update -qq && "${install[@]}"; }
}

# has_command NAME [PACKAGE]: whether it is there, or can be installed.
has_command() {
  command -v "$1" >/dev/null || { debian "${2:-$1}" && command -v "$1" >/dev/null; }
}

# has_python MODULE REQUIREMENT: whether Python has it in an environment of its own, or can be given it.
has_python() {
  local python="$target/python/bin/python"
  has_command python3 || return 1
  [ -x "$python" ] || python3 -m venv "$target/python" || { debian python3-venv && python3 -m venv "$target/python"; } || return 1
  timeout 300 "$python" -m pip install --quiet --disable-pip-version-check "$2" && "$python" -c "import $1"
}

# has_toolchain VERSION: whether that Rust is there, or can be installed.
has_toolchain() {
  command -v rustup >/dev/null || return 1
  rustup run "$1" rustc --version || timeout 300 rustup toolchain install "$1" --profile minimal --no-self-update
}

# has_target NAME: whether Rust can compile for it, or can be made to.
has_target() {
  [ -d "$(rustc --print target-libdir --target "$1")" ] || timeout 300 rustup target add "$1"
}

# has_tool CRATE VERSION: whether that version of a tool is there, or can be built. Unoptimised, because it runs for seconds.
has_tool() {
  "$target/tools/bin/$1" --version | grep -qwF "$2" && return 0
  CARGO_PROFILE_DEV_DEBUG=false cargo install --quiet --locked --debug --root "$target/tools" --target-dir "$target/tools/build" "$1@$2" &&
    rm -rf "$target/tools/build"
}

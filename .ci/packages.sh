#!/usr/bin/env bash
# Packs every crate that is published as crates.io would get it, and compiles the packages away from the repository: what is missing from one
# shows there. `cargo package` would compile them too, but each from nothing; here compiled dependencies are used again.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath "${CARGO_TARGET_DIR:-target}")"
there="$target/packages"

rm -rf "$target/package" "$there"
mkdir -p "$there"
# All but those that are not published.
cargo package --workspace --exclude jostle-fuzz --exclude jostle-play --locked --no-verify --allow-dirty
for package in "$target"/package/*.crate; do
  tar -xzf "$package" -C "$there"
done

# They ask for each other at crates.io, where they are not yet.
{
  printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n\n[patch.crates-io]\n'
  for package in "$there"/*/; do
    folder="$(basename "$package")"
    printf '%s = { path = "%s" }\n' "${folder%-*}" "$folder"
  done
} >"$there/Cargo.toml"
cp Cargo.lock "$there/Cargo.lock"
for package in "$there"/*/; do
  for file in README.md LICENSE-MIT LICENSE-APACHE; do
    [ -s "$package$file" ] || { echo "$(basename "$package"): the package has no $file" >&2 && exit 1; }
  done
done
cargo check --workspace --all-features --offline --target-dir "$target" --manifest-path "$there/Cargo.toml"

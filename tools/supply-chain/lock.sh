#!/usr/bin/env bash
# Whether package-lock.json is what npm would make of package.json: nothing is missing for any platform, and no npm that is supported
# changes it. Needs a network. Usage: bash tools/supply-chain/lock.sh [NPM-VERSION…]
set -euo pipefail
cd "$(dirname "$0")/../.."
# Of Node.js 20, whose `npm install` must do, and of Node.js 24.
[ $# -gt 0 ] || set -- 10.8.2 11.21.2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
same() {
  diff -u package-lock.json "$1" | head -n 40 >"$scratch/difference"
  [ -s "$scratch/difference" ] || return 0
  cat "$scratch/difference"
  echo "package-lock.json is not what npm $2 makes of package.json. See \"Dependencies\" in CONTRIBUTING.md."
  exit 1
}

# The registry that somebody installs from is a matter of their own.
if grep -nE '"resolved": "(https?|git)' package-lock.json; then
  echo "package-lock.json says where packages come from. Make it with: npm install --omit-lockfile-registry-resolved"
  exit 1
fi
# npm 10 takes it out and npm 11 does not ask for it.
if grep -n '"libc"' package-lock.json; then
  echo "package-lock.json has \"libc\", which npm 10 takes out. Run: bash tools/supply-chain/relock.sh"
  exit 1
fi
for version in "$@"; do
  copy="$scratch/$version"
  mkdir -p "$copy"
  for file in package.json package-lock.json .npmrc packages/*/package.json; do
    mkdir -p "$copy/$(dirname "$file")"
    cp "$file" "$copy/$file"
  done
  # It says what is missing without fetching anything.
  npm exec --yes --package="npm@$version" -- npm --prefix "$copy" ci --dry-run --ignore-scripts --no-progress | tail -n 1
  npm exec --yes --package="npm@$version" -- npm --prefix "$copy" install --package-lock-only --ignore-scripts --no-progress >/dev/null
  same "$copy/package-lock.json" "$version"
  echo "npm $version leaves package-lock.json as it is."
done

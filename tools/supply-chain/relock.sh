#!/usr/bin/env bash
# Writes package-lock.json after a change to package.json, for all platforms and as every supported npm leaves it. npm forgets the packages
# of other platforms when it makes the lock from what is in node_modules (https://github.com/npm/cli/issues/4828), so that is not asked.
set -euo pipefail
cd "$(dirname "$0")/../.."
npm install --package-lock-only --omit-lockfile-registry-resolved
node -e '
const { readFileSync, writeFileSync } = require("node:fs");
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const one of Object.values(lock.packages)) delete one.libc;
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);'
npm install

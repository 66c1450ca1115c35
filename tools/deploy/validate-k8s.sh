#!/usr/bin/env bash
# Checks the Kubernetes manifests without a cluster: each folder that can be applied is put together by kustomize, and every
# object is compared with Kubernetes' own schemas. Needs kubectl and Python 3; the validator comes from PyPI into a folder of
# its own. Ends with `N passed, M failed`.
set -uo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0; failed=0

fetch() { for _ in 1 2 3; do "$work/venv/bin/pip" install --quiet --disable-pip-version-check kubernetes-validate==1.37.0 && return; sleep 10; done; return 1; }
python3 -m venv "$work/venv" && fetch || {
  echo "The validator cannot be installed."; echo "0 passed, 1 failed"; exit 1; }

# check NAME FILE: counts every object of the file.
check() {
  local out
  out=$("$work/venv/bin/kubernetes-validate" --strict "$2" 2>&1)
  local status=$? good bad
  good=$(grep -c ' passed for resource ' <<<"$out")
  bad=$(grep -vc ' passed for resource ' <<<"$out")
  [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
  [ "$good" -eq 0 ] && [ "$bad" -eq 0 ] && bad=1
  passed=$((passed + good)); failed=$((failed + bad))
  if [ "$bad" -gt 0 ]; then grep -v ' passed for resource ' <<<"$out"; fi
  echo "$1: $good objects fit, $bad problems"
}

for folder in k8s k8s/databases k8s/overlays/*/; do
  folder=${folder%/}; file="$work/${folder//\//-}.yaml"
  if kubectl kustomize "$folder" >"$file"; then check "$folder" "$file"; else failed=$((failed + 1)); echo "$folder: kustomize refuses it"; fi
done
for file in k8s/examples/*.yaml; do check "$file" "$file"; done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

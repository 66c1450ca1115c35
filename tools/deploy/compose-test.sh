#!/usr/bin/env bash
# Brings the whole deployment up with docker-compose, walks through it, and takes it down again, data included.
#   tools/deploy/compose-test.sh [PREPARE]
# PREPARE is a command that provides the base images where no registry does. A Docker daemon that it had to start is
# stopped at the end. FORM=small runs the small form. REPLICAS=2 runs two of each service but the gateway. Ends with 0
# when the walk succeeded.
set -uo pipefail
prepare=${1:-}; [ -n "$prepare" ] && prepare=$(realpath "$prepare")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
daemon_was_up=$(docker info >/dev/null 2>&1 && echo yes)
export COMPOSE_PROJECT_NAME="cadastre-test-$$" CADASTRE_IMAGE="cadastre-test:$$"
compose=(docker compose); docker compose version >/dev/null 2>&1 || compose=(docker-compose)
compose+=(--env-file "$work/.env")
# stage NAME COMMAND…: its output is kept, and printed if it fails, at once and again at the end, below the logs of the
# containers.
stage=
stage() { stage=$1; local began=$SECONDS; "${@:2}" >"$work/$1.log" 2>&1 || { tail -n 60 "$work/$1.log"; exit 1; }; echo "$1: $((SECONDS - began)) s"; }

# Which containers are unhealthy, and what their last health checks printed.
unwell() {
  local id
  for id in $("${compose[@]}" ps -q); do
    docker inspect --format '{{if .State.Health}}{{if ne .State.Health.Status "healthy"}}{{.Name}} is {{.State.Health.Status}}:{{range .State.Health.Log}} {{.ExitCode}} {{printf "%.80q" .Output}}{{end}}{{end}}{{end}}' "$id"
  done | sed '/^$/d'
}

finish() {
  status=$?
  trap - EXIT INT TERM
  if [ "$status" -ne 0 ]; then "${compose[@]}" ps; "${compose[@]}" logs --no-color --tail 40; unwell >"$work/unwell.log"; fi
  "${compose[@]}" down --volumes --timeout 30 >"$work/down.log" 2>&1 || cat "$work/down.log"
  docker image rm -f "$CADASTRE_IMAGE" >/dev/null 2>&1
  if [ -z "$daemon_was_up" ] && [ -f /var/run/docker.pid ]; then
    daemon=$(cat /var/run/docker.pid)
    kill "$daemon"
    for _ in $(seq 100); do kill -0 "$daemon" 2>/dev/null || break; sleep 0.2; done
  fi
  if [ "$status" -ne 0 ]; then echo "Failed: $stage, after $SECONDS s."; tail -n 10 "$work/$stage.log"; cat "$work/unwell.log"; fi
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ -z "$prepare" ] || stage prepare bash "$prepare"
stage settings tools/deploy/make-env.sh "$work/.env"
set -a && . "$work/.env" && set +a || exit 1
export COMPOSE_PROFILES=${FORM:-$COMPOSE_PROFILES}
scaled=(auth tenancy dcim ipam circuits virtualization extras webhooks web); [ "$COMPOSE_PROFILES" = small ] && scaled=(deliveries)
stage build docker build --network=host --tag "$CADASTRE_IMAGE" .
scale=()
[ "${REPLICAS:-1}" -gt 1 ] && for name in "${scaled[@]}"; do scale+=(--scale "$name=$REPLICAS"); done
# Unless a port is given, Docker chooses a free one.
export PORT=${PORT:-0}
stage up "${compose[@]}" up -d --no-build "${scale[@]}"
door=gateway; [ "$COMPOSE_PROFILES" = small ] && door=cadastre
address=$("${compose[@]}" port "$door" 8000 | head -n 1)
stage walk node tools/deploy/walk.mjs "http://127.0.0.1:${address##*:}"
cat "$work/walk.log"

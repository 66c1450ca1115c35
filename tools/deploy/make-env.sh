#!/bin/sh
# Writes the file .env that docker-compose.yml takes its passwords and secrets from, unless there is one; an older one
# gets what it lacks.
#   tools/deploy/make-env.sh [FILE]
# Keys are made by Node, in the image that Cadastre's own is made from where there is none here that can.
set -eu
file=${1:-.env}
root=$(cd "$(dirname "$0")/../.." && pwd)
random() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
keys() {
  for node in node "$root/node_modules/.bin/node"; do
    if "$node" -e 'process.exit(process.features.typescript ? 0 : 1)' 2>/dev/null; then
      "$node" "$root/tools/deploy/keys.ts" "$@"
      return
    fi
  done
  docker run --rm -i --network none -v "$root:/app:ro" -w /app node:24-bookworm-slim node tools/deploy/keys.ts "$@"
}
with_keys() {
  echo
  echo "# Keys: by which the gateway says who asks, by which each service proves which one it is, and what all know of them."
  printf '%s\n' "$made"
  echo "SECRETS_KEYS=$(random 32)"
}
new_services() {
  echo
  echo "# Of services that are new."
  printf '%s\n' "$new"
}
factors() {
  echo
  echo "# Encrypts the secrets of second factors."
  echo "FACTOR_KEYS=$(random 32)"
}
events() {
  echo
  echo "# PostgreSQL: of the event log, where that is not in Kafka."
  echo "EVENTS_DATABASE_PASSWORD=$(random 16)"
}
form() {
  echo
  echo "# How it runs: each (a container for every service, with Apache Kafka) or small (two containers, without)."
  echo "COMPOSE_PROFILES=each"
}
umask 077
if [ -e "$file" ]; then
  lacks() { ! grep -q "^$1=" "$file"; }
  missing=
  new=
  if lacks IDENTITY_KEY; then made=$(keys </dev/null); missing="$missing with_keys"; else new=$(keys --missing <"$file"); fi
  if [ -n "$new" ]; then missing="$missing new_services"; fi
  if lacks FACTOR_KEYS; then missing="$missing factors"; fi
  if lacks EVENTS_DATABASE_PASSWORD; then missing="$missing events"; fi
  if lacks COMPOSE_PROFILES; then missing="$missing form"; fi
  if [ -z "$missing" ]; then
    echo "$file exists already and is left as it is." >&2
    exit 0
  fi
  {
    # What all know of the keys comes anew with those of new services.
    if [ -n "$new" ]; then grep -v '^SERVICE_PUBLIC_KEYS=' "$file"; else cat "$file"; fi
    for part in $missing; do "$part"; done
  } >"$file.new"
  mv "$file.new" "$file"
  echo "Added to $file what it lacked." >&2
  exit 0
fi
made=$(keys </dev/null)
{
  echo "# Secrets of this installation. Keep a copy in a safe place: without API_TOKEN_PEPPERS no version 2 token is valid any more,"
  echo "# without SECRETS_KEYS the secrets of webhooks cannot be read any more, without FACTOR_KEYS no code of an app is right."
  echo "SERVICE_SECRET=$(random 24)"
  echo "API_TOKEN_PEPPERS='{\"1\": \"$(random 32)\"}'"
  with_keys
  factors
  echo
  echo "# PostgreSQL: of its administrator, and of each service's role."
  echo "POSTGRES_PASSWORD=$(random 16)"
  for service in auth tenancy dcim ipam circuits virtualization extras webhooks; do
    echo "$(echo "$service" | tr a-z A-Z)_DATABASE_PASSWORD=$(random 16)"
  done
  events
  form
  echo
  echo "# The first user; take the password out after the first start."
  echo "SUPERUSER_NAME=admin"
  echo "SUPERUSER_PASSWORD=$(random 10)"
} >"$file.new"
mv "$file.new" "$file"
echo "Wrote $file. The superuser's name and password are in its last lines." >&2

#!/bin/sh
# Writes the file .env that docker-compose.yml takes its passwords and secrets from, unless there is one.
#   tools/deploy/make-env.sh [FILE]
set -eu
file=${1:-.env}
if [ -e "$file" ]; then
  echo "$file exists already and is left as it is." >&2
  exit 0
fi
random() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
umask 077
{
  echo "# Secrets of this installation. Keep a copy in a safe place: without API_TOKEN_PEPPERS no version 2 token is valid any more."
  echo "SERVICE_SECRET=$(random 24)"
  echo "API_TOKEN_PEPPERS='{\"1\": \"$(random 32)\"}'"
  echo
  echo "# PostgreSQL: of its administrator, and of each service's role."
  echo "POSTGRES_PASSWORD=$(random 16)"
  for service in auth tenancy dcim ipam circuits virtualization extras webhooks; do
    echo "$(echo "$service" | tr a-z A-Z)_DATABASE_PASSWORD=$(random 16)"
  done
  echo
  echo "# The first user; take the password out after the first start."
  echo "SUPERUSER_NAME=admin"
  echo "SUPERUSER_PASSWORD=$(random 10)"
} >"$file.new"
mv "$file.new" "$file"
echo "Wrote $file. The superuser's name and password are in its last lines." >&2

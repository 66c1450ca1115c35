#!/bin/bash
# The image's health check: whether the service of this container can serve. In bash, as it runs often and Node starts slowly.
host=${OPERATIONS_HOST:-${LISTEN_HOST:-127.0.0.1}}
exec 3<>"/dev/tcp/$host/${OPERATIONS_PORT:-9464}" || exit 1
printf 'GET /health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
answer=$(timeout 3 cat <&3)
case ${answer%%$'\r'*} in *' 200 '*) exit 0 ;; esac
echo "${answer##*$'\n'}"
exit 1

#!/bin/bash
# Succeeds if the process in this container is ready: asks GET /readyz at METRICS_LISTEN. The operator's image serves
# nothing.
port=${METRICS_LISTEN##*:}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
IFS= read -r -t 3 status <&3
[[ $status == 'HTTP/1.'?' 200 '* ]]

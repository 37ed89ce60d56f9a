#!/bin/bash
# Succeeds if the services in this container are ready: asks GET /readyz at METRICS_LISTEN and, in a runner, at a port
# after it for each further name in SERVICES. The operator's image serves nothing.
commas=${SERVICES//[^,]/}
first=${METRICS_LISTEN##*:}
for ((port = first; port <= first + ${#commas}; port++)); do
  exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
  printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
  IFS= read -r -t 3 status <&3
  [[ $status == 'HTTP/1.'?' 200 '* ]] || exit 1
  exec 3>&-
done

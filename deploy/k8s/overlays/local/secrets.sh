#!/bin/sh
# Writes the secrets of this overlay, with random passwords, for kubectl apply:
#   secrets.sh FOLDER | kubectl apply --namespace=gatehouse --filename=-
# FOLDER is one that `npm run gatehouse -- certificates FOLDER` filled. Called again, it makes other passwords, which the
# databases that are there do not have.
set -eu
certificates="$1"

secret() {
  echo ---
  kubectl create secret generic "$@" --dry-run=client --output=yaml
}

random() {
  head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

# begin services: npm run generate writes this, from proto/services.ts
processes="gateway ratelimit auth chat oauth2 webhook-delivery media realtime console"
databases="auth chat oauth2 webhook-delivery media console"
# end services

for name in $processes envoy; do
  secret "tls-$name" \
    --from-file=tls.crt="$certificates/$name.pem" \
    --from-file=tls.key="$certificates/$name-key.pem" \
    --from-file=ca.crt="$certificates/ca.pem"
done
secret front --from-file=tls.crt="$certificates/envoy.pem" --from-file=tls.key="$certificates/envoy-key.pem"

admin="$(random)"
secret postgres --from-literal=POSTGRES_PASSWORD="$admin"
secret database-admin --from-literal=ADMIN_DATABASE_URL="postgres://postgres:$admin@postgres:5432/postgres"

for name in $databases; do
  role="gatehouse_$(echo "$name" | tr - _)"
  set -- "$name" --from-literal=DATABASE_URL="postgres://$role:$(random)@postgres:5432/gatehouse"
  if [ "$name" = auth ]; then set -- "$@" --from-literal=AUTH_SECRET_KEY="$(random)"; fi
  if [ "$name" = console ]; then set -- "$@" --from-literal=CONSOLE_SECRET_KEY="$(random)"; fi
  secret "$@"
done
secret ratelimit --from-literal=REDIS_URL=redis://redis:6379 --from-literal=RATELIMIT_KEY_SECRET="$(random)"

#!/bin/sh
# Writes the secrets of this overlay, with random passwords, for kubectl apply:
#   secrets.sh FOLDER | kubectl apply --namespace=gatehouse --filename=-
# FOLDER is one that `npm run certificates -- FOLDER` filled. Called again, it makes other passwords, which the
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

for name in gateway ratelimit auth chat oauth2 webhook-delivery media realtime envoy; do
  secret "tls-$name" \
    --from-file=tls.crt="$certificates/$name.pem" \
    --from-file=tls.key="$certificates/$name-key.pem" \
    --from-file=ca.crt="$certificates/ca.pem"
done
secret front --from-file=tls.crt="$certificates/envoy.pem" --from-file=tls.key="$certificates/envoy-key.pem"

admin="$(random)"
secret postgres --from-literal=POSTGRES_PASSWORD="$admin"
secret database-admin --from-literal=ADMIN_DATABASE_URL="postgres://postgres:$admin@postgres:5432/postgres"

database_url() {
  echo "postgres://gatehouse_$1:$(random)@postgres:5432/gatehouse"
}

secret auth --from-literal=DATABASE_URL="$(database_url auth)" --from-literal=AUTH_SECRET_KEY="$(random)"
secret chat --from-literal=DATABASE_URL="$(database_url chat)"
secret oauth2 --from-literal=DATABASE_URL="$(database_url oauth2)"
secret webhook-delivery --from-literal=DATABASE_URL="$(database_url webhook_delivery)"
secret media --from-literal=DATABASE_URL="$(database_url media)"
secret ratelimit --from-literal=REDIS_URL=redis://redis:6379 --from-literal=RATELIMIT_KEY_SECRET="$(random)"

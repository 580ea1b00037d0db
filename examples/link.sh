#!/usr/bin/env bash
# Signs a user in at this terminal by six letters, then says who it is.
# Usage: examples/link.sh http://localhost:3000
set -euo pipefail
base=${1:-http://localhost:3000}

# The value of one field of a small JSON response, or of one header.
field() { sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p'; }
header() { tr -d '\r' | sed -n "s/^$1: //Ip"; }

# Enough to know who the user is; access=read also reads their keys and files.
issued=$(curl -fsSi "$base/link/code?name=link.sh&access=identity")
code=$(field code <<<"$issued")
# Once it is sent back, only this program can collect the token, from any network.
secret=$(header link-secret <<<"$issued")
seconds=$(header link-expires-in <<<"$issued")
echo "Open $base/link?code=$code and check that the letters match: $code"

# The response comes as soon as there is news, or after 25 seconds. A refusal, like 429, is a response too.
wait_at() { curl -sSi --max-time 40 -H @- -H "Prefer: wait=25" "$base$1?code=$code" <<<"Link-Secret: $secret" || true; }
token=
until [ "$token" ]; do
  response=$(wait_at /link/status)
  status=$(field status <<<"$response")
  case $status in linked | collected) response=$(wait_at /link/user) ;; esac
  token=$(field token <<<"$response")
  [ "$token" ] && break
  case $status in denied | expired | collected) status=over ;; esac
  [ "$status" != over ] && [ "$SECONDS" -lt "$seconds" ] || { echo "The code was denied, or has expired."; exit 1; }
  # The service did not wait, so this program does.
  [ "$(header preference-applied <<<"$response")" ] || sleep "$(header retry-after <<<"$response" | grep . || echo 2)"
done

# In a header, so that it appears in no log on the way; through a pipe, so that it appears in no list of processes.
ask() { curl -fsS -H @- "$base$1" <<<"Authorization: Bearer $token"; }
echo "Linked to $(ask /me | field username)."

#!/usr/bin/env bash
# Links this terminal to a user by six letters, then says who it is and which keys the user holds.
# Usage: examples/link.sh http://localhost:3000
set -euo pipefail
base=${1:-http://localhost:3000}

# The value of one field of a small JSON response, or of one header.
field() { sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p'; }
header() { tr -d '\r' | sed -n "s/^$1: //Ip"; }

asked=$(curl -fsSi "$base/link/code?name=link.sh")
code=$(field code <<<"$asked")
# Once it is sent back, only this program can collect the token, from any network.
secret=$(header link-secret <<<"$asked")
seconds=$(header link-expires-in <<<"$asked")
echo "Open $base/link?code=$code and check that the letters match: $code"

# The response comes as soon as there is news, or after 25 seconds. A refusal, like 429, is a response too.
wait_at() { curl -sSi --max-time 40 -H @- -H "Prefer: wait=25" "$base$1?code=$code" <<<"Link-Secret: $secret" || true; }
token=
until [ "$token" ]; do
  answer=$(wait_at /link/status)
  status=$(field status <<<"$answer")
  case $status in approved | collected) answer=$(wait_at /link/user) ;; esac
  token=$(field token <<<"$answer")
  [ "$token" ] && break
  case $status in denied | expired | collected) status=over ;; esac
  [ "$status" != over ] && [ "$SECONDS" -lt "$seconds" ] || { echo "The code was denied, or has expired."; exit 1; }
  # The service did not wait, so this program does.
  [ "$(header preference-applied <<<"$answer")" ] || sleep "$(header retry-after <<<"$answer" | grep . || echo 2)"
done

# In a header, so that it appears in no log on the way; through a pipe, so that it appears in no list of processes.
ask() { curl -fsS -H @- "$base$1" <<<"Authorization: Bearer $token"; }
echo "Linked to $(ask /me | field username)."
ask /keys/mine
echo

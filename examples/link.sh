#!/usr/bin/env bash
# Links this terminal to a user by six letters, then says who it is and which keys the user holds.
# Usage: examples/link.sh http://localhost:3000
set -euo pipefail
base=${1:-http://localhost:3000}

# The value of one field of a small JSON answer.
field() { sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p'; }

code=$(curl -fsS "$base/link/code" | field code)
echo "Open $base/link and enter: $code"

# The answer is 404 until it is linked, and 429 when asked too often: the body says whether it is.
until answer=$(curl -sS "$base/link/user?code=$code") && [ "$(field linked <<<"$answer")" = true ]; do
  [ "$SECONDS" -lt 600 ] || { echo "The code has expired, or was denied."; exit 1; }
  sleep 2
done
token=$(field token <<<"$answer")

# In a header, so that it does not stand in logs along the way; through a pipe, so that it does not stand in the list of processes.
ask() { curl -fsS -H @- "$base$1" <<<"Authorization: Bearer $token"; }
echo "Linked to $(ask /me | field username)."
ask /keys/mine
echo

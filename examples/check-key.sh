#!/usr/bin/env bash
# Says whether a user holds a key. Needs no token. Exits with 0 if the user does, with 1 if not, with 2 if that is unknown.
# Usage: examples/check-key.sh http://localhost:3000 <username> <key>
set -euo pipefail
[ $# = 3 ] || { echo "Usage: check-key.sh http://localhost:3000 <username> <key>" >&2; exit 2; }

response=$(curl -fsS -G "$1/keys/check/$2" --data-urlencode "key=$3") || exit 2
case $response in
  *'"owned":true'*) echo "$2 holds the key." ;;
  *) echo "$2 does not hold the key." && exit 1 ;;
esac

#!/usr/bin/env bash
# Keeps a copy of everything that a user has stored. Downloads only if it has changed. Needs curl 7.68 or later.
# Usage: TOKEN=lk_… examples/backup.sh http://localhost:3000 files.json
set -euo pipefail
: "${TOKEN:?Set this variable to the token of the user.}"
base=${1:-http://localhost:3000} file=${2:-files.json}
[ -e "$file" ] || rm -f "$file.etag"

# In a header from a pipe, so that the token appears neither in logs on the way nor in the list of processes.
status=$(curl -sS --compressed -H @- -o "$file.part" -w '%{http_code}' \
  --etag-compare "$file.etag" --etag-save "$file.etag.part" "$base/read-files" <<<"Authorization: Bearer $TOKEN") ||
  { rm -f "$file".*part; echo "The download was interrupted. The old copy is unchanged." >&2; exit 1; }

case $status in
  # A response that ends cleanly is complete. Renaming replaces the old copy in one step.
  200) mv "$file.part" "$file" && mv "$file.etag.part" "$file.etag" && echo "Saved $(wc -c <"$file") bytes." ;;
  304) rm -f "$file".*part && echo "Nothing has changed." ;;
  404) rm -f "$file".*part && echo "Nothing is stored yet." ;;
  *) cat "$file.part" >&2; rm -f "$file".*part; exit 1 ;;
esac

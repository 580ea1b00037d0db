#!/bin/sh
# Downloads that break off, and continue when the file has changed.
#
# One would guess: a program that continues a download sends the ETag that it got, in If-Range (RFC 9110, section
# 13.1.5), so that a server whose file has changed sends all of it. Or it fails.
# What happens: wget 1.21.3 asks again by itself, without being told to, with Range alone. curl 7.88.1 with
# "-C -" and aria2 1.36.0 with "-c" do the same in the next run. Each ends with exit status 0 and a file of the right
# length, the first half of which is from the old version and the second half from the new one.
# Why it matters: a server that honours such a Range hands out files that never existed. It may ignore any Range
# (RFC 9110, section 14.2), and should where its file may have changed a moment ago.
#
# Needs Debian 12's packages wget, curl, aria2 and python3.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"

# Each path is a file: 50,000 times A with one ETag. Its first response breaks off in the middle; then it is B.
cat >server.py <<'PY'
import http.server
seen = {}
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        count = seen[self.path] = seen.get(self.path, 0) + 1
        body = (b"A" if count == 1 else b"B") * 50000
        first = int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])
        with open("log" + self.path.replace("/", "-"), "a") as log:
            log.write("Range %s, If-Range %s\n" % (self.headers.get("Range"), self.headers.get("If-Range")))
        self.send_response(206 if first else 200)
        self.send_header("ETag", '"%d"' % min(count, 2))
        if first: self.send_header("Content-Range", "bytes %d-49999/50000" % first)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(50000 - first))
        self.end_headers()
        self.wfile.write(body[first:25000] if count == 1 else body[first:])
        if count == 1: self.close_connection = True
    do_HEAD = lambda self: self.send_error(405)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PY
python3 server.py >port &
server=$!
until [ -s port ]; do sleep 0.1; done
at=http://127.0.0.1:$(cat port)

status=0; wget -q --tries=3 --waitretry=1 -O by-wget "$at/wget" || status=$?
echo "$status" >status-wget
curl -s -o by-curl "$at/curl" || true
status=0; curl -s -C - -o by-curl "$at/curl" || status=$?
echo "$status" >status-curl
aria2c -q -m 1 -x 1 -o by-aria2 "$at/aria2" || true
status=0; aria2c -q -c -x 1 -o by-aria2 "$at/aria2" || status=$?
echo "$status" >status-aria2

for program in wget curl aria2; do
  both=$(tr -d '\n' <"by-$program" | sed 's/AA*/A/g; s/BB*/B/g')
  echo "$program: exit status $(cat "status-$program"), $(wc -c <"by-$program") bytes, from the versions $both"
  sed 's/^/  /' "log-$program"
  if [ "$both" != AB ] || [ "$(cat "status-$program")" != 0 ] || grep -q 'If-Range "' "log-$program"; then exit 1; fi
done

#!/bin/sh
# A GET whose kept connection closes without an answer, as it does when a server or a proxy restarts.
#
# One would guess: the program reports an error, and its caller decides whether to send the request again.
# What happens: HttpURLConnection of Java 17 and Net::HTTP of Ruby 3.1 send it a second time by themselves, urllib3
# 1.26 up to three more times. The first may have had its effect.
# Why it matters: GET is idempotent by RFC 9110 (section 9.2.2), so they may. Where a GET creates something, one call
# creates it two or four times, and nobody is told.
#
# Needs Debian 12's packages openjdk-17-jdk-headless, ruby and python3-urllib3.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"

# Answers /first and keeps the connection; closes it at any other request, without an answer.
cat >server.py <<'PY'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open("log", "a") as log: log.write("%s %s\n" % (self.command, self.path))
        if self.path == "/first":
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else: self.close_connection = True
    do_POST = do_GET
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
PY
/usr/bin/python3 server.py >port &
server=$!
until [ -s port ]; do sleep 0.1; done
port=$(cat port)

cat >Get.java <<'JAVA'
import java.net.*;
class Get {
  public static void main(String[] args) throws Exception {
    for (String path : new String[] {"/first", "/java"}) {
      HttpURLConnection connection = (HttpURLConnection) new URL("http://127.0.0.1:" + args[0] + path).openConnection();
      try { connection.getInputStream().readAllBytes(); } catch (java.io.IOException error) { System.out.println("  Java: " + error.getMessage()); }
    }
  }
}
JAVA
java Get.java "$port"
ruby -rnet/http -e '
  Net::HTTP.start("127.0.0.1", ARGV[0].to_i) do |http|
    http.get("/first")
    begin http.get("/ruby") rescue puts "  Ruby: #{$!.message}" end
  end' "$port"
/usr/bin/python3 -c '
import sys, urllib3
pool = urllib3.HTTPConnectionPool("127.0.0.1", int(sys.argv[1]))
pool.request("GET", "/first")
try: pool.request("GET", "/urllib3")
except urllib3.exceptions.HTTPError as error: print("  urllib3 %s: %s" % (urllib3.__version__, type(error).__name__))
' "$port"

for expected in "2 java" "2 ruby" "4 urllib3"; do
  count=$(grep -c "GET /${expected#* }" log)
  echo "${expected#* }: one call, $count requests"
  [ "$count" = "${expected% *}" ] || exit 1
done

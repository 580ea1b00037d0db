// Downloads one address repeatedly over a plain socket, and prints how long that took as JSON. Parsing HTTP would take
// more time than some servers need to respond. Job on standard input: { url, headers, clients, times }.
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const { url, headers, clients, times } = JSON.parse(readFileSync(0, "utf8"));
const { hostname, port, host, pathname, search } = new URL(url);
const lines = Object.entries({ Host: host, Connection: "close", ...headers }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
);
const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`;

/** Returns the size of the body in bytes. Throws if the response is not a complete 200. */
function download() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port, noDelay: true });
    let head = "";
    let length;
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
      if (length !== undefined) return;
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!head.startsWith("HTTP/1.1 200")) return socket.destroy(new Error(head.slice(0, end)));
      length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      received -= end + 4;
    });
    socket.on("error", reject);
    socket.on("close", () =>
      received === length ? resolve(received) : reject(new Error(`${received} bytes came of ${length}`)),
    );
    socket.write(request);
  });
}

async function client() {
  let bytes = 0;
  for (let time = 0; time < times; time++) bytes = await download();
  return bytes;
}

const started = performance.now();
const [bytes] = await Promise.all(Array.from({ length: clients }, client));
console.log(JSON.stringify({ bytes, seconds: (performance.now() - started) / 1000 }));

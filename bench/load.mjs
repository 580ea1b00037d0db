// Sends requests to one server for a while over keep-alive connections, and prints the results as JSON. The job is read
// from standard input: { url, connections, seconds, requests, status }. `requests` are distributed over the
// connections, each
// { path, method?, headers?, body? }; a response with another status than `status` counts as failed.
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const { url, connections, seconds, requests, status } = JSON.parse(readFileSync(0, "utf8"));
const milliseconds = [];
let failed = 0;
let dealt = 0;

const share = Math.max(1, Math.ceil(requests.length / connections));
const run = autocannon({
  url,
  connections,
  duration: seconds,
  // How often it checks whether the time is over, in milliseconds.
  sampleInt: 50,
  setupClient(client) {
    const first = (dealt++ * share) % requests.length;
    client.setRequests(requests.slice(first, first + share));
  },
});
run.on("response", (_client, code, _bytes, took) => {
  milliseconds.push(took);
  if (code !== status) failed++;
});
const { duration, errors, timeouts } = await run;

milliseconds.sort((a, b) => a - b);
const percentile = (share) =>
  milliseconds[Math.min(milliseconds.length - 1, Math.floor(milliseconds.length * share))] ?? 0;
const responses = milliseconds.length;
console.log(
  JSON.stringify({
    responses,
    failed: failed + errors + timeouts,
    seconds: duration,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }),
);

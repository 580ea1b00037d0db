import { idOf } from "@/tests/support/documents";
import { MANY_REFERENCES, MANY_VALUES } from "@/tests/support/hostile-bodies";
import { sendTo } from "@/tests/support/request";
import type { Attack, Prey } from "./hostile-attack";
import { type Ending, fromNetwork, sendBytes } from "./hostile-wire";
import { random } from "./household";

/** Listings that one attacker opens at once, and closes after so long. */
const LISTINGS = 40;
const CLOSED_AFTER_MS = 50;
const DELETED = 1_000;
const DRIPPING_MS = 15_000;
const SORTS = ["name", "type", "size", "edited"];

/** One request of a browser that is signed in, as it goes over the wire. */
function asked(prey: Prey, method: string, target: string, headers: string[] = [], body = ""): Buffer {
  const { host } = new URL(prey.origin);
  const about = [
    `Host: ${host}`,
    `Origin: ${prey.origin}`,
    `Cookie: ${prey.hoarder.cookies}`,
    "Accept: text/html",
    ...headers,
  ];
  const length =
    method === "GET" || headers.some((header) => header.startsWith("Content-Length"))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${[...about, ...length].join("\r\n")}\r\n\r\n${body}`);
}

/** Cursors that pages of this sort were seen to lead to. */
const cursors = new Map<string, string>();

async function listings(prey: Prey, network: string): Promise<Ending[]> {
  const view = `sort=${SORTS[random(SORTS.length)]}${random(2) ? "&order=descending" : ""}`;
  const target = (at: string) => `/files?${view}&at=${at}${random(4) === 0 ? "&filter=none" : ""}`;
  const many = Array.from({ length: LISTINGS }, () =>
    sendBytes(prey.origin, fromNetwork(asked(prey, "GET", target(cursors.get(view) ?? "last")), network), {
      goneAfterMs: random(CLOSED_AFTER_MS),
    }),
  );
  const endings = (await Promise.all(many)).flat();
  if (random(4)) return endings;
  const { status, text } = await sendTo(prey.origin, `/files?${view}&at=${cursors.get(view) ?? "last"}`, {
    network,
    headers: { Cookie: prey.hoarder.cookies },
  });
  const deeper = /[?&;]at=([\w-]{20,700})/.exec(text)?.[1];
  if (deeper) cursors.set(view, deeper);
  return [...endings, status];
}

function deletion(prey: Prey, network: string): Promise<Ending[]> {
  const from = 2 + random(prey.hoarder.entries - DELETED);
  const ids = Array.from({ length: DELETED }, (_, index) => idOf(from + index));
  // Most name one that is not there, after all others were looked up: the document lasts until the end.
  if (random(10)) ids[DELETED - 1] = "f".repeat(32);
  const headers = [`Next-Action: ${prey.actions.remove}`, "Content-Type: text/plain;charset=UTF-8"];
  return sendBytes(prey.origin, fromNetwork(asked(prey, "POST", "/files", headers, JSON.stringify([ids])), network));
}

function entering(prey: Prey, network: string): Promise<Ending[]> {
  const letters = Array.from({ length: 6 }, () => "ABCDEFGHJKLMNPQRSTUVWXYZ"[random(24)]).join("");
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${part("_1_code", letters)}${part("0", '[{"entry":"","error":""},"$K1"]')}--b--\r\n`;
  const headers = [`Next-Action: ${prey.actions.enter}`, "Content-Type: multipart/form-data; boundary=b"];
  return sendBytes(prey.origin, fromNetwork(asked(prey, "POST", "/link", headers, body), network));
}

/** What is longer than a stranger's body is read of somebody who is signed in, and refused before it is decoded. */
function manyValues(prey: Prey, network: string): Promise<Ending[]> {
  const headers = [`Next-Action: ${prey.actions.members}`, "Content-Type: text/plain;charset=UTF-8"];
  return sendBytes(prey.origin, fromNetwork(asked(prey, "POST", "/keys", headers, MANY_VALUES), network));
}

function manyReferences(prey: Prey, network: string): Promise<Ending[]> {
  const headers = [`Next-Action: ${prey.actions.members}`, "Content-Type: multipart/form-data; boundary=b"];
  return sendBytes(prey.origin, fromNetwork(asked(prey, "POST", "/keys", headers, MANY_REFERENCES), network));
}

/** One form serves for all: what is in it is a browser's, not a person's. */
let form: Promise<{ cookies: string; token: string }> | undefined;

async function wrongPassword(prey: Prey): Promise<Ending[]> {
  form ??= sendTo(prey.origin, "/api/auth/csrf", { network: "198.51.100.9" }).then(({ headers, body }) => ({
    cookies: (headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; "),
    token: String(body?.csrfToken),
  }));
  const { cookies, token } = await form;
  const body = new URLSearchParams({
    csrfToken: token,
    username: `nobody${random(1e6)}`,
    password: `wrong ${random(1e9)}`,
    json: "true",
  }).toString();
  const headers = {
    Cookie: cookies,
    Origin: prey.origin,
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": String(body.length),
  };
  const network = `2001:db8:7:${random(65_536).toString(16)}::1`;
  const { status } = await sendTo(prey.origin, "/api/auth/callback/credentials", {
    method: "POST",
    headers,
    body,
    network,
  });
  return [status];
}

function drippingImport(prey: Prey, network: string): Promise<Ending[]> {
  const headers = ["Content-Type: application/json", "Content-Length: 10000000"];
  return sendBytes(prey.origin, fromNetwork(asked(prey, "POST", "/files/import", headers, "["), network), {
    goneAfterMs: random(DRIPPING_MS),
    drip: Buffer.from(" "),
  });
}

/** What takes an account, or plays for one. */
export const accountAttacks: readonly Attack[] = [
  { name: "40 listings opened and closed at once", weight: 6, run: listings },
  { name: "deleting 1,000 entries", weight: 3, run: deletion },
  { name: "174,000 nested values", weight: 6, run: manyValues },
  { name: "references to a form of 60 fields", weight: 3, run: manyReferences },
  { name: "entering codes", weight: 6, run: entering },
  { name: "wrong passwords over the networks of one /48", weight: 12, run: wrongPassword },
  { name: "a dripping import", weight: 6, run: drippingImport },
];

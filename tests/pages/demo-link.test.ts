import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { db } from "@/lib/platform/db/client";
import { bundled } from "@/scripts/bundled.mjs";
import { approve, deny } from "@/tests/contract/link";
import { chunks, root, values } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { listening } from "@/tests/support/place";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

type Demo = ReturnType<typeof startDemo>;
const program = await bundled("scripts/demo-link.ts");

function startDemo(...parameters: string[]) {
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  open.push({ close: () => child.kill("SIGKILL") });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const status: Promise<number | null> = once(child, "exit").then(([code]) => code);
  /** Waits until it prints this. */
  async function says(words: RegExp): Promise<RegExpExecArray> {
    await expect.poll(() => text).toMatch(words);
    return words.exec(text) as RegExpExecArray;
  }
  return { child, printed: () => text, says, status };
}

/** A line to the service that can be cut, behind which everybody is on `network`. */
async function openBadLine(network: string) {
  let isCut = false;
  /** `sooner`: headers that say a number of seconds, and what stands there the next time instead. */
  const line = { network, sooner: {} as Record<string, string> };
  const server = createServer((incoming, outgoing) => {
    if (isCut) return incoming.destroy();
    // On a connection of its own: one that is kept may be closed by the service just when it is used again.
    const forwarded = request(`${origin}${incoming.url}`, {
      agent: false,
      headers: { ...incoming.headers, host: new URL(origin).host, "x-forwarded-for": line.network },
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    forwarded.on("response", (response) => {
      for (const [name, seconds] of Object.entries(line.sooner)) {
        if (response.headers[name] === undefined) continue;
        response.headers[name] = seconds;
        delete line.sooner[name];
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.end();
  });
  const port = await listening(server);
  open.push(server);
  const cut = (is: boolean) => {
    isCut = is;
    if (is) server.closeAllConnections();
  };
  return Object.assign(line, { cut, url: `http://127.0.0.1:${port}` });
}

const LETTERS = /check that the letters match: ([A-Z]{6})/;
const letters = async (demo: Demo) => (await demo.says(LETTERS))[1] ?? "";

test("whatever the line does, the program waits for as long as it is told, links, and prints no secret", async () => {
  const user = await makeUser();
  const { username, token } = user;
  await createKey({ ...user, role: "user" }, { data: "a secret of the key", price: "1", name: "Red \u001b[31mdoor" });
  await importDocument(user, chunks(JSON.stringify(values(root(username)))));
  const network = newNetwork().id;
  await Promise.all(Array.from({ length: 301 }, () => ask("/link/code", { network })));
  // So many requests would push those of other tests off the first page of the console.
  await db.linkCode.deleteMany({ where: { network } });

  const line = await openBadLine(network);
  line.cut(true);
  const demo = startDemo(line.url);
  await demo.says(/cannot be reached/);
  line.sooner = { "retry-after": "2", "link-expires-in": "3" };
  line.cut(false);
  await demo.says(/Too many requests from this network\. Trying again in 2 s\./);
  line.network = newNetwork().id;
  const expired = await letters(demo);
  expect(demo.printed().match(/Too many/g)).toHaveLength(1);
  const [, code = ""] = await demo.says(/This code has expired\. Here is a new one[\s\S]+match: ([A-Z]{6})/);
  expect(code).not.toBe(expired);
  expect(demo.printed()).toContain(`/link?code=${code}\n`);

  line.cut(true);
  await demo.says(/new one[\s\S]+cannot be reached \(.+\)\. Trying again in 1 s\./);
  await approve(code, user);
  await demo.says(/new one[\s\S]+Trying again in 2 s\./);
  line.cut(false);
  expect(await demo.status).toBe(0);
  expect(demo.printed()).toContain(`Linked to ${username}.`);
  expect(demo.printed()).toMatch(/Keys: {2}1\n {7}Red \\u001b\[31mdoor, created by \w+\nFiles: 1\d\d bytes\n$/);
  expect(demo.printed()).not.toContain(token.slice(4));
  expect(demo.printed()).not.toContain("secret");
});

test("a denial, a signal, and what is no address make it leave at once, with nothing but a word", async () => {
  const [denied, ...stopped] = [startDemo(origin), startDemo(origin), startDemo(origin)];
  const misled = ["nonsense", "ftp://localhost:3000"].map((address) => startDemo(address));
  await deny(await letters(denied), await makeUser());
  expect(await denied.status).toBe(1);
  expect(denied.printed()).toMatch(/\nYou denied this program\. It stops\.\n$/);
  for (const [n, signal] of (["SIGINT", "SIGTERM"] as const).entries()) {
    const demo = stopped[n] as Demo;
    await letters(demo);
    demo.child.kill(signal);
    expect(await demo.status).toBe(130);
    expect(demo.printed()).toMatch(/Waiting for you to link it\.\n\nStopped\.\n$/);
  }
  for (const demo of misled) {
    expect(await demo.status).toBe(1);
    expect(demo.printed()).toMatch(/^“.+” is not a valid address\. Usage: .+\n$/);
  }
});

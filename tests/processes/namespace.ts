import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A place of its own on the network, where clients and a proxy have addresses that they do not have here. */
export interface Namespace {
  /** This machine's address on the way there. */
  here: string;
  /** The place's address on the way here: that of a proxy there. */
  there: string;
  /** The address of somebody there who goes past that proxy. */
  beside: string;
  /** Addresses of two people there, behind that proxy. */
  people: readonly [string, string];
  run(program: string, parameters: string[]): ChildProcess;
  send(from: string, url: string, request?: Sent): Promise<Reply>;
  remove(): Promise<void>;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends what its input says, a request a line, each from an address of its place. */
const CLIENT = `
const { request } = require("node:http");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, from, url, method, headers, body } = JSON.parse(line);
  const end = (reply) => process.stdout.write(JSON.stringify({ id, ...reply }) + "\\n");
  request(url, { localAddress: from, method, headers, agent: false }, async (response) => {
    let text = "";
    for await (const chunk of response) text += chunk;
    end({ status: response.statusCode, headers: response.headers, text });
  }).on("error", ({ message }) => end({ status: 0, headers: {}, text: message })).end(body);
});`;

const ip = (parameters: string) => execFileSync("ip", parameters.split(" "), { stdio: "pipe" });

/** Whether this user may make them: root, where the machine permits it. */
export function canMakeNamespaces(): boolean {
  const name = `lk-try-${process.pid}`;
  if (spawnSync("ip", ["netns", "add", name]).status !== 0) return false;
  return spawnSync("ip", ["netns", "delete", name]).status === 0;
}

/** Makes one, with addresses for tests of networks (RFC 2544), another block for each process. */
export function makeNamespace(): Namespace {
  const name = `lk${process.pid}`;
  const block = `198.${18 + (process.pid % 2)}.${(process.pid >> 1) % 256}`;
  const [here, there, beside, people] = [
    `${block}.1`,
    `${block}.2`,
    `${block}.3`,
    [`${block}.129`, `${block}.130`] as const,
  ];
  ip(`netns add ${name}`);
  ip(`link add ${name}a type veth peer name ${name}b netns ${name}`);
  ip(`address add ${here}/25 dev ${name}a`);
  ip(`link set ${name}a up`);
  ip(`-n ${name} link set lo up`);
  for (const address of [there, beside]) ip(`-n ${name} address add ${address}/25 dev ${name}b`);
  for (const address of people) ip(`-n ${name} address add ${address}/32 dev lo`);
  ip(`-n ${name} link set ${name}b up`);
  const run = (program: string, parameters: string[], stdio: "ignore" | "pipe" = "ignore") =>
    spawn("ip", ["netns", "exec", name, program, ...parameters], {
      stdio: [stdio, stdio, "ignore"],
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
  const client = run(process.execPath, ["-e", CLIENT], "pipe");
  const waiting = new Map<number, (reply: Reply) => void>();
  let count = 0;
  if (client.stdout)
    createInterface({ input: client.stdout }).on("line", (line) => {
      const { id, ...reply } = JSON.parse(line);
      waiting.get(id)?.(reply);
    });
  return {
    here,
    there,
    beside,
    people,
    run,
    send: (from, url, request = {}) =>
      new Promise((resolve) => {
        const id = count++;
        waiting.set(id, resolve);
        client.stdin?.write(`${JSON.stringify({ id, from, url, ...request })}\n`);
      }),
    async remove() {
      client.kill();
      await once(client, "exit");
      ip(`netns delete ${name}`);
    },
  };
}

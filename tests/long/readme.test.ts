import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout, Service } from "@/tests/server/checkout";

/** The README's steps, as somebody pastes them at the prompt of a shell that nobody has configured. */

const PROMPTS = { bash: ["--norc", "--noprofile", "-i"], zsh: ["-f", "-i"] };

const blocks = [...readFileSync("README.md", "utf8").matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
const steps = blocks.filter((block) => !/npm ci|docker/.test(block)).join("");

let checkout: ReturnType<typeof copyCheckout>;
let service: Service;
beforeAll(async () => {
  checkout = copyCheckout();
  service = new Service(checkout.folder);
  await service.port();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  checkout.remove();
});

/** What the shell prints when `lines` are pasted at its prompt. */
async function paste(shell: keyof typeof PROMPTS, lines: string): Promise<[printed: string, complaints: string]> {
  const environment = { ...process.env, DATA_DIR: join(checkout.folder, "data"), PS1: "", PS2: "" };
  const child = spawn(shell, PROMPTS[shell], { cwd: checkout.folder, env: environment });
  child.stdin.end(lines);
  return Promise.all([text(child.stdout), text(child.stderr)]);
}

test.each(["bash", "zsh"] as const)("every line does in %s what is said of it", async (shell) => {
  const origin = `http://127.0.0.1:${await service.port()}`;
  const [printed, complaints] = await paste(shell, steps.replace("http://localhost:3000", origin));
  expect(complaints).not.toMatch(/(?:ba|z)?sh: (?!no job control|cannot set terminal|initialize_job_control)/);
  const expected = [
    '"data":"the secret"',
    '"data":null',
    '[{"key":',
    '"owned":false',
    '"added":true',
    '"data":"the secret"',
    '"revoked":true',
    '"changed":true',
    "Key deleted successfully",
    "HTTP/1.1 200 OK",
    'rel="verification"',
    '{"code":"',
    '{"linked":false,"token":""}',
    '"entries":2',
    '"Hello, world"',
  ];
  let from = 0;
  for (const part of expected) {
    const at = printed.indexOf(part, from);
    expect([part, at >= from, printed]).toEqual([part, true, printed]);
    from = at + part.length;
  }
});

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyInstalledSources } from "@/tests/deployment/fresh-checkout";
import { listening, ownFolder } from "@/tests/support/place";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/user";
import { Service } from "./npm-start";

const place = ownFolder("demo-test");
const folder = join(place, "checkout");
const temporary = join(place, "temporary");
const data = join(place, "data");

/** Where the database, the counters and the mail server of a service with real data are. */
const elsewhere = createServer((socket) => {
  connections++;
  socket.destroy();
});
let connections = 0;
let real: Record<string, string>;
afterAll(() => elsewhere.close());

beforeAll(async () => {
  copyInstalledSources(folder);
  cpSync(".builds", join(folder, ".builds"), { recursive: true });
  for (const own of [temporary, data]) mkdirSync(own);
  const host = `127.0.0.1:${await listening(elsewhere)}`;
  real = {
    DATABASE_URL: `postgresql://latchkey@${host}/latchkey?sslmode=disable`,
    SMTP_URL: `smtp://${host}`,
    MAIL_FROM: "keys@example.org",
    NEXTAUTH_URL: "https://keys.example.org",
    AUTH_SECRET: "the secret of a service with real data",
    ALLOW_SIGNUP: "false",
  };
  const lines = Object.entries(real).map(([name, value]) => `${name}="${value}"`);
  writeFileSync(join(folder, ".env"), lines.join("\n"));
});

const startDemo = () => new Service({ ...real, DATA_DIR: data, TMPDIR: temporary }, { folder, startedBy: "demo" });
const foldersOfDemos = () => readdirSync(temporary).filter((name) => name.startsWith("latchkey-demo-"));

test("the demo shows keys, files and a program, uses nothing of a real service, and leaves nothing", async () => {
  await using demo = startDemo();
  const origin = `http://127.0.0.1:${await demo.port()}`;
  await expect.poll(() => demo.output).toContain("Press Ctrl+C");
  expect(foldersOfDemos()).toHaveLength(1);
  const pageOf = async (username: string) => {
    const password = new RegExp(`^ {2}${username} +([a-z]{6}-[a-z]{6}) `, "m").exec(demo.output)?.[1] ?? "";
    const Cookie = await signInByPassword(origin, username, password);
    return async (path: string) => (await sendTo(origin, path, { headers: { Cookie, Accept: "text/html" } })).text;
  };
  const alice = await pageOf("alice");
  const keys = await alice("/keys");
  for (const shown of ["Tidepool, full game", "Gulls and harbour bells"]) expect(keys).toContain(shown);
  const files = await alice("/files");
  for (const shown of ["Artwork", "hills at dawn"]) expect(files).toContain(shown);
  expect(await alice("/account")).toContain("Tidepool backup");
  expect(await (await pageOf("bob"))("/keys?list=given")).toContain("Tidepool soundtrack");
  expect(await (await pageOf("carol"))("/admin/links")).toContain("Free gems");
  expect((await sendTo(origin, "/signup")).text).not.toContain("Sign-up is closed");

  demo.signal("SIGTERM");
  expect(await demo.exit()).toBe(0);
  expect(foldersOfDemos()).toEqual([]);
  expect(readdirSync(data)).toEqual([]);
  expect(readdirSync(folder)).not.toContain("data");
  expect(connections).toBe(0);
});

test("a demo that is killed leaves nothing either", async () => {
  await using demo = startDemo();
  await demo.port();
  demo.signal("SIGKILL");
  await demo.exit();
  await expect.poll(foldersOfDemos).toEqual([]);
});

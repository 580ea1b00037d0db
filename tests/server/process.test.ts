import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyCheckout, Service } from "./checkout";
import { get, send } from "./service";

const MINUTE = 60_000;

const CHECKED_IN = ["tsconfig.json", "package.json", "package-lock.json", "next.config.mjs"];

let checkout: ReturnType<typeof copyCheckout>;
let before: string[];
const contents = () => CHECKED_IN.map((file) => readFileSync(join(checkout.folder, file), "utf8"));
beforeAll(() => {
  checkout = copyCheckout();
  before = contents();
}, MINUTE);
afterAll(() => checkout.remove(), MINUTE);

const builds = () => readdirSync(join(checkout.folder, ".builds"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const current = () => readFileSync(join(checkout.folder, ".builds", "current"), "utf8").trim();

describe.sequential("npm start", () => {
  test("two at once build once, and both answer", { timeout: 5 * MINUTE }, async () => {
    await using first = new Service(checkout.folder);
    await using second = new Service(checkout.folder);
    for (const service of [first, second]) expect((await get(await service.port(), "/health")).status).toBe(200);
    const printed = [first.output, second.output];
    expect(printed.map((output) => output.includes("Built in")).sort()).toEqual([false, true]);
    expect(builds().map(({ name }) => name)).toEqual([current()]);
  });

  test("the next one builds nothing and answers within 5 seconds", async () => {
    const started = performance.now();
    await using service = new Service(checkout.folder);
    const port = await service.port();
    expect((await get(port, "/health")).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(service.output).not.toContain("Buil");
    for (const [path, of] of [
      ["Sign up", "signup"],
      ["Link a program", "link"],
    ])
      expect(service.output).toMatch(new RegExp(`${path}: +http://127\\.0\\.0\\.1:${port}/${of}\n`));
  });

  test("pages come with a request id, and malformed addresses of pages are no faults", async () => {
    await using service = new Service(checkout.folder);
    const port = await service.port();
    const page = await get(port, "/signup", ["Host: keys.example", "X-Request-Id: mine"]);
    expect([page.status, page.headers["x-request-id"]]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    for (const [target, status] of [
      ["/nothing-here", 404],
      ["/%zz", 400],
    ] as const)
      expect((await get(port, target)).status, target).toBe(status);
  });

  test("a port in use, and a bad variable, end it with one sentence", async () => {
    await using service = new Service(checkout.folder);
    const port = await service.port();
    await using second = new Service(checkout.folder, { PORT: String(port) });
    expect([await second.exit(), second.output]).toEqual([1, expect.stringMatching(new RegExp(`^Port ${port} is in use [^\n]+\\.\n$`, "m"))]);
    await using third = new Service(checkout.folder, { PORT: "http" });
    expect([await third.exit(), third.output]).toEqual([1, expect.stringMatching(/^The environment variable PORT is not valid: [^\n]+\.\n$/)]);
    expect((await get(port, "/health")).status).toBe(200);
  });

  test.each([
    [{ DATABASE_URL: "postgresql://nowhere.invalid/a" }, /^AUTH_SECRET must be set when DATABASE_URL is\. Make one with: [^\n]+\n$/],
    [{ DATABASE_URL: "postgresql://nowhere.invalid/a", AUTH_SECRET: "x".repeat(32) }, /^NEXTAUTH_URL must be set when DATABASE_URL is: [^\n]+\.\n$/],
  ])("a configuration that would not be safe ends it with one sentence: %o", async (environment, sentence) => {
    await using service = new Service(checkout.folder, environment);
    expect([await service.exit(), service.output]).toEqual([1, expect.stringMatching(sentence)]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s lets a running request finish, takes no new one, and ends with 0", async (signal) => {
    await using service = new Service(checkout.folder);
    const port = await service.port();
    const body = "username=nobody&password=nothing";
    const head = `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(port, "127.0.0.1", () => socket.write(head + body.slice(0, 10)));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const idle = connect(port, "127.0.0.1");
    await sleep(300);

    const started = performance.now();
    service.signal(signal);
    await sleep(300);
    await expect(get(port, "/health")).rejects.toThrow("ECONNREFUSED");
    socket.write(body.slice(10));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 [34]\d\d /);
    expect(await service.exit()).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    idle.destroy();
  });

  test("what does not finish is cut off after ten seconds; a second signal does not wait", async () => {
    const hanging = async (work: (service: Service) => Promise<void>) => {
      await using service = new Service(checkout.folder);
      const socket = connect(await service.port(), "127.0.0.1", () => socket.write("POST /signup HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"));
      socket.on("error", () => {});
      await sleep(300);
      service.signal("SIGTERM");
      await work(service);
      socket.destroy();
    };
    const started = performance.now();
    await Promise.all([
      hanging(async (service) => {
        expect(await service.exit()).toBe(0);
        expect(performance.now() - started).toBeGreaterThan(10_000);
      }),
      hanging(async (service) => {
        await sleep(200);
        service.signal("SIGTERM");
        expect(await service.exit()).toBe(1);
        expect(performance.now() - started).toBeLessThan(8_000);
      }),
    ]);
  });

  test("a build that fails leaves the one before in place", { timeout: 5 * MINUTE }, async () => {
    const inUse = current();
    const broken = join(checkout.folder, "next.config.mjs");
    const source = readFileSync(broken, "utf8");
    writeFileSync(broken, "export default {");
    await using service = new Service(checkout.folder);
    expect([await service.exit(), service.output]).toEqual([1, expect.stringContaining("The build failed")]);
    expect([current(), builds().map(({ name }) => name)]).toEqual([inUse, [inUse]]);

    writeFileSync(broken, source);
    await using mended = new Service(checkout.folder);
    expect((await get(await mended.port(), "/health")).status).toBe(200);
    expect(mended.output).not.toContain("Buil");
  });

  test("changed sources are built beside the build in use, which keeps answering", { timeout: 5 * MINUTE }, async () => {
    const inUse = current();
    await using old = new Service(checkout.folder);
    const oldPort = await old.port();
    appendFileSync(join(checkout.folder, "lib", "errors.ts"), "\n// Changed.\n");
    await using service = new Service(checkout.folder);
    expect((await get(await service.port(), "/signup")).status).toBe(200);
    expect(current()).not.toBe(inUse);
    expect(builds().map(({ name }) => name)).toEqual([inUse, current()].sort());
    expect((await get(oldPort, "/signin")).status).toBe(200);
  });

  test("nothing that was checked in is changed by building", () => {
    expect(contents()).toEqual(before);
    expect(existsSync(join(checkout.folder, ".builds", "current.next"))).toBe(false);
  });

  test("the process answers 300 KB of headers with a refusal and lives on", async () => {
    await using service = new Service(checkout.folder);
    const port = await service.port();
    const refused = await send(port, `GET /health?a=${"a".repeat(300_000)} HTTP/1.1\r\nHost: a\r\n\r\n`).catch((error) => error.code);
    if (typeof refused === "string") expect(refused).toBe("ECONNRESET");
    else expect(refused.status).toBe(431);
    const long = await get(port, `/keys/check/a?key=${"%41".repeat(65_536)}`, ["Host: a"]);
    expect([long.status, JSON.parse(long.body).key]).toEqual([200, "A".repeat(65_536)]);
  });
});

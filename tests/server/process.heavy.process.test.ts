import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginPost, openSocket } from "@/tests/support/sockets";
import { copyCheckout, Service } from "./checkout";
import { get, send } from "./service";

const MINUTE = 60_000;

let checkout: ReturnType<typeof copyCheckout>;
beforeAll(() => {
  checkout = copyCheckout();
});
afterAll(() => checkout.remove());

const origin = (port: number) => `http://127.0.0.1:${port}`;

/** A service that was told to end takes no new connection. */
const isRefusing = (port: number) => get(port, "/health").catch((error: NodeJS.ErrnoException) => error.code);
const expectRefused = (port: number) => expect.poll(() => isRefusing(port), { timeout: MINUTE }).toBe("ECONNREFUSED");
const CUT_OFF = "unfinished requests are cut off";

describe.sequential("npm start", () => {
  describe("running", () => {
    let service: Service;
    let port: number;
    beforeAll(async () => {
      service = new Service(checkout.folder);
      port = await service.port();
    });
    afterAll(() => service?.[Symbol.asyncDispose]());

    test("says where it is", async () => {
      for (const [path, of] of [
        ["Sign up", "signup"],
        ["Link a program", "link"],
      ])
        await expect.poll(() => service.output).toMatch(new RegExp(`${path}: +http://127\\.0\\.0\\.1:${port}/${of}\n`));
    });

    test("says in one line that the console needs an administrator", async () => {
      await expect
        .poll(() => service.output)
        .toMatch(/^ {2}The console needs an administrator: npm run --silent admin -- user:role <name> admin$/m);
    });

    test("sends pages with a request id, and malformed addresses of pages are no faults", async () => {
      const page = await get(port, "/signup", ["Host: keys.localhost", "X-Request-Id: mine"]);
      expect([page.status, page.headers["x-request-id"]]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      for (const [target, status] of [
        ["/nothing-here", 404],
        ["/%zz", 400],
      ] as const)
        expect((await get(port, target)).status, target).toBe(status);
    });

    test("refuses 300 KB of headers and survives", async () => {
      const refused = await send(
        port,
        `GET /health?a=${"a".repeat(300_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ).catch((error) => error.code);
      if (typeof refused === "string") expect(refused).toBe("ECONNRESET");
      else expect(refused.status).toBe(431);
      const long = await get(port, `/keys/check/a?key=${"%41".repeat(65_536)}`, ["Host: localhost"]);
      expect([long.status, JSON.parse(long.body).key]).toEqual([200, "A".repeat(65_536)]);
    });

    test("keeps its port: a second one ends with one sentence", async () => {
      await using second = new Service(checkout.folder, { PORT: String(port) });
      expect([await second.exit(), second.output]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^Port ${port} is in use [^\n]+\\.\n$`, "m")),
      ]);
      expect((await get(port, "/health")).status).toBe(200);
    });
  });

  test.each([
    [{ PORT: "http" }, /^The environment variable PORT is not valid: [^\n]+\.\n$/],
    [
      { DATABASE_URL: "postgresql://nowhere.invalid/a" },
      /^AUTH_SECRET must be set when DATABASE_URL is, [^\n]+ Create one with: [^\n]+\n$/,
    ],
    [
      { DATABASE_URL: "postgresql://nowhere.invalid/a", AUTH_SECRET: "x".repeat(32) },
      /^NEXTAUTH_URL must be set when DATABASE_URL is: [^\n]+\.\n$/,
    ],
  ])("a configuration that would not be safe ends it with one sentence: %o", async (environment, sentence) => {
    await using service = new Service(checkout.folder, environment);
    expect([await service.exit(), service.output]).toEqual([1, expect.stringMatching(sentence)]);
  });

  test.each([
    ["SIGTERM", "node"],
    ["SIGINT", "node"],
    ["SIGTERM", "npm"],
  ] as const)(
    "%s to %s lets a running request finish, takes no new one, and ends with 0",
    async (signal, startedBy) => {
      await using service = new Service(checkout.folder, {}, startedBy);
      const port = await service.port();
      const body = "username=nobody&password=nothing";
      const running = await beginPost(origin(port), "/api/auth/callback/credentials", body.length);
      // Must not keep it alive.
      await openSocket(origin(port));

      service.signal(signal);
      await expectRefused(port);
      running.socket.write(body);
      await running.closed;
      expect(running.received()).toMatch(/\r\n\r\nHTTP\/1\.1 [34]\d\d /);
      expect(await service.exit()).toBe(0);
      expect(service.output).not.toContain(CUT_OFF);
    },
  );

  test("what does not finish is cut off after a while; a second signal does not wait", async () => {
    const hanging = async (
      status: number,
      work: (service: Service, port: number) => Promise<void> = async () => {},
    ) => {
      await using service = new Service(checkout.folder);
      const port = await service.port();
      await beginPost(origin(port), "/api/auth/callback/credentials", 10);
      service.signal("SIGTERM");
      await work(service, port);
      expect(await service.exit()).toBe(status);
      return service.output.includes(CUT_OFF);
    };
    const again = async (service: Service, port: number) => {
      await expectRefused(port);
      // Within a second it counts as the same one.
      await sleep(1_200);
      service.signal("SIGTERM");
    };
    expect(await Promise.all([hanging(0), hanging(1, again)])).toEqual([true, false]);
  });
});

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loudly } from "@/scripts/install";
import { endWithThisProcess, freePort } from "@/scripts/scratch-server";
import { startOperator } from "@/tests/soak/operator";
import { doctorOf, runAdmin } from "@/tests/support/admin";
import { ownFolder } from "@/tests/support/place";
import { haproxy, nginx, proxyWarnings, sample, startProxy } from "@/tests/support/proxies";
import { newNetwork } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { canMakeNamespaces, makeNamespace, type Namespace } from "./namespace";

/**
 * The guide's proxies behind the edge of a content delivery network, which names the client in a header of its own. The
 * edge and two people behind it are in a network namespace. Needs root, nginx and HAProxy.
 */

const EDGE_PORT = 80;
const folder = ownFolder("edges");
const running: ChildProcess[] = [];

/** The guide's proxies, without TLS. */
const PROXIES: Record<string, (at: string, upstream: number, more?: string) => ChildProcess> = {
  nginx(at, upstream, more = "") {
    const site = sample("# /etc/nginx/conf.d/latchkey.conf")
      .replace("443 ssl http2", at)
      .replace(/ssl_certificate.*;/g, "")
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
      .replaceAll("/var/log/nginx", folder);
    return startProxy(nginx(folder, `proxy-${upstream}`, `${more}\n${site}`));
  },
  haproxy(at, upstream) {
    const placed = sample("# /etc/haproxy/haproxy.cfg")
      .replace(/bind .*/, `bind ${at}`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    return startProxy(haproxy(folder, `proxy-${upstream}`, placed));
  },
};

const edgeOfNginx = (space: Namespace, origin: string, naming = "") =>
  space.run(
    ...nginx(
      folder,
      `edge-${origin}`.replace(":", "-"),
      `access_log off; server { listen ${space.there}:${EDGE_PORT}; location / { proxy_pass http://${origin};
        proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; ${naming}
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } }`,
    ),
  );

/** Edges: each says who its client is as content delivery networks do, or as load balancers. */
const EDGES: Record<string, (space: Namespace, origin: string) => ChildProcess> = {
  nginx: (space, origin) => edgeOfNginx(space, origin, "proxy_set_header CF-Connecting-IP $remote_addr;"),
  // Those of Amazon and Google write no other header.
  balancer: (space, origin) => edgeOfNginx(space, origin),
  haproxy: (space, origin) =>
    space.run(
      ...haproxy(
        folder,
        `edge-${origin}`.replace(":", "-"),
        `defaults\n mode http\n timeout connect 5s\n timeout client 1m\n timeout server 1m\n option forwardfor
listen edge\n bind ${space.there}:${EDGE_PORT}\n http-request set-header CF-Connecting-IP %[src]
 server origin ${origin}\n`,
      ),
    ),
};

/** Somebody at the link page of this service, who approves and allows what is asked. */
async function newApprover({ storage, url }: RunningService) {
  const operator = await startOperator({ ...storage, NEXTAUTH_URL: url });
  const { id, token } = await operator.tell("createUser", "someone", "correct horse battery");
  return {
    token,
    approve: (code: string) => operator.tell("approve", id, code, newNetwork().id),
    allow: (code: string) => operator.tell("allow", id, code),
    stop: () => operator.stop(),
  };
}

interface Place {
  service: RunningService;
  /** The service as people open it, through the edge, and past it. */
  url: string;
  direct: string;
  space: Namespace;
  /** Asks from one of the two people through the edge, or somebody past it. */
  ask(who: 0 | 1 | "direct", path: string, headers?: Record<string, string>): Promise<{ status: number; body: Body }>;
  warnings(): string[];
  doctor(): Promise<{ check: string; problem: string; advice: string }[]>;
  stop(): Promise<void>;
}
type Body = Record<string, string | number | boolean | null | undefined>;

async function arrange(proxy: string, edge: string, space: Namespace, more?: string, set = {}): Promise<Place> {
  const at = `${space.here}:${await freePort()}`;
  const url = `http://${space.there}:${EDGE_PORT}`;
  const TRUSTED_PROXIES = "loopback";
  const settings = { TRUSTED_PROXIES, NEXTAUTH_URL: url, ...set };
  const service = await startService({ lane: "direct", database: "sqlite" }, settings);
  const started = [
    PROXIES[proxy]?.(at, Number(new URL(service.url).port), more) ?? expect.fail(proxy),
    EDGES[edge]?.(space, at) ?? expect.fail(edge),
  ];
  running.push(...started);
  for (const child of started) endWithThisProcess(child, folder);
  const ask: Place["ask"] = async (who, path, headers = {}) => {
    const [from, to] = who === "direct" ? [space.beside, `http://${at}`] : [space.people[who] as string, url];
    const { status, text } = await space.send(from, `${to}${path}`, { headers });
    return { status, body: text.startsWith("{") ? JSON.parse(text) : {} };
  };
  // HAProxy's first look at the service decides whether it passes anything on.
  const isThere = async () =>
    expect([(await ask(0, "/ready")).status, (await ask(0, "/me")).status]).toEqual([200, 401]);
  await vi.waitFor(isThere, 20_000);
  return {
    ...{ service, url, direct: `http://${at}`, space, ask },
    warnings: () => proxyWarnings(service),
    doctor: () => doctorOf("proxies", { TRUSTED_PROXIES, ...service.storage }),
    async stop() {
      for (const child of started) {
        child.kill();
        await once(child, "exit");
      }
      await service.stop();
    },
  };
}

/** Signs in by password through the edge; whether it worked. */
async function signIn({ space, url }: Place, who: 0 | 1, username: string, password: string): Promise<string> {
  const from = space.people[who];
  const started = await space.send(from, `${url}/api/auth/csrf`);
  const cookie = [started.headers["set-cookie"] ?? []]
    .flat()
    .map((line) => line.split(";")[0])
    .join("; ");
  const body = new URLSearchParams({ csrfToken: JSON.parse(started.text).csrfToken, username, password, json: "true" });
  const headers = {
    ...{ Cookie: cookie, Origin: url, "Content-Type": "application/x-www-form-urlencoded" },
    "Content-Length": String(body.toString().length),
  };
  const { text } = await space.send(from, `${url}/api/auth/callback/credentials`, {
    ...{ method: "POST", headers, body: body.toString() },
  });
  return new URL(String(JSON.parse(text).url), url).searchParams.get("error") ?? "signed in";
}

if (!canMakeNamespaces())
  loudly("GOING ON WITHOUT NETWORK NAMESPACES: only root may make them, where it is permitted.");

describe.runIf(canMakeNamespaces())("behind an edge that the operator has not named,", () => {
  let space: Namespace;
  beforeAll(() => {
    space = makeNamespace();
  });
  afterAll(async () => {
    await space.remove();
  });

  describe.each([
    ["nginx", "nginx", "CF-Connecting-IP"],
    ["nginx", "haproxy", "CF-Connecting-IP"],
    ["haproxy", "nginx", "CF-Connecting-IP"],
    ["nginx", "balancer", "X-Original-Forwarded-For"],
    ["haproxy", "balancer", "X-Original-Forwarded-For"],
  ])("with the guide's %s behind an edge of %s,", (proxy, edge, telling) => {
    let place: Place;
    let approver: Awaited<ReturnType<typeof newApprover>>;
    const [owner, stranger] = [0, 1] as const;
    beforeAll(async () => {
      place = await arrange(proxy, edge, space);
      approver = await newApprover(place.service);
    });
    afterAll(async () => {
      approver?.stop();
      await place?.stop();
    });
    const newCode = async () => {
      const { status, body } = await place.ask(owner, "/link/code");
      expect(status).toBe(200);
      return String(body.code);
    };
    const poll = async (who: 0 | 1 | "direct", code: string, headers?: Record<string, string>) =>
      (await place.ask(who, `/link/user?code=${code}`, headers)).body.token || null;

    test("a stranger on the same edge gets no token by letters, not even once the owner's program may", async () => {
      const code = await newCode();
      await approver.approve(code);
      expect(await poll(stranger, code)).toBeNull();
      const second = await newCode();
      await approver.approve(second);
      expect(await poll(owner, second)).toBeNull();
      await approver.allow(second);
      expect(await poll(stranger, second)).toBeNull();
      for (const header of ["True-Client-IP", "X-Real-IP", "X-Forwarded-For", "CF-Connecting-IP", "Forwarded"])
        expect([header, await poll(stranger, second, { [header]: space.people[owner] })]).toEqual([header, null]);
      expect(await poll("direct", second, { "CF-Connecting-IP": space.people[owner] })).toBeNull();
      expect(await poll(owner, second)).toBe(approver.token);
    });

    test("a program that proves its poll secret links as ever", async () => {
      const asked = await space.send(space.people[owner], `${place.url}/link/code`);
      const code = String(JSON.parse(asked.text).code);
      await approver.approve(code);
      expect(await poll(owner, code, { "Link-Secret": String(asked.headers["link-secret"]) })).toBe(approver.token);
    });

    test("nobody is locked out by what a stranger does there", async () => {
      const statuses = async (
        count: number,
        path: (n: number) => string,
        headers?: (n: number) => Record<string, string>,
      ) => {
        const seen: number[] = [];
        for (let from = 0; from < count; from += 20) {
          const numbers = Array.from({ length: Math.min(20, count - from) }, (_, n) => from + n);
          const answers = await Promise.all(numbers.map((n) => place.ask(stranger, path(n), headers?.(n))));
          seen.push(...answers.map(({ status }) => status));
        }
        return seen;
      };
      // With headers beside the edge's own, to look like many.
      const disguise = (n: number) => ({ "True-Client-IP": `192.0.2.${n % 250}`, "X-Real-IP": `2001:db8:${n}::1` });
      expect(await statuses(320, () => "/me?auth=lk_none")).toContain(429);
      expect(await statuses(100, () => "/me?auth=lk_none", disguise)).not.toContain(401);
      expect((await place.ask(owner, "/me?auth=lk_none")).status).toBe(401);
      expect((await place.ask(owner, `/me?auth=${approver.token}`)).status).toBe(200);
      const letters = (n: number) =>
        [n / 576, n / 24, n].map((each) => "ABCDEFGHJKLMNPQRSTUVWXYZ"[Math.floor(each) % 24]);
      expect(await statuses(60, (n) => `/link/user?code=BUM${letters(n).join("")}`)).toContain(429);
      expect(await statuses(400, () => "/link/code", disguise)).toContain(429);
      const code = await newCode();
      expect((await place.ask(owner, `/link/user?code=${code}`)).status).toBe(404);
      const [username, password] = ["alice-of-the-edge".slice(0, 15), "correct horse battery staple"];
      const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...place.service.storage };
      expect((await runAdmin(["user:create", username], environment, `${password}\n`)).status).toBe(0);
      for (let guesses = 0; guesses < 12; guesses++) await signIn(place, stranger, username, "wrong password");
      expect(await signIn(place, stranger, username, password)).toBe("rate_limited");
      expect(await signIn(place, owner, username, password)).toBe("signed in");
    });

    test("one warning names the setting, and doctor does", async () => {
      expect(place.warnings()).toEqual([
        expect.stringMatching(new RegExp(`${telling}.*TRUSTED_PROXIES=loopback,198\\.1[89]\\.`)),
      ]);
      const problem = expect.stringContaining(space.there);
      expect(await place.doctor()).toContainEqual(expect.objectContaining({ problem }));
    });
  });
});

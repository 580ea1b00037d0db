import { beforeAll, describe, expect, inject, test } from "vitest";
import { setDisabled, setRole } from "@/lib/auth/standing";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { isConsole, PAGES } from "@/lib/http/pages";
import { callAction } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { signInByPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";
import { letProofsPass } from "../pages/confirming";

const PASSWORD = "correct horse battery";
const CONSOLE = [...PAGES].filter(isConsole);
const HTML = { Accept: "text/html,*/*;q=0.8" };

interface Viewer {
  id: string;
  username: string;
  cookie: string;
}

async function newViewer(role: "admin" | "user"): Promise<Viewer> {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD });
  if (role === "admin") await setRole(username, role);
  return { id, username, cookie: await signInByPassword(origin, username, PASSWORD) };
}

const nobody: Viewer = { id: "", username: "", cookie: "" };
let admin: Viewer;
let user: Viewer;
let former: Viewer;
let disabled: Viewer;
let late: Viewer;
beforeAll(async () => {
  [admin, user, former, disabled, late] = await Promise.all([
    newViewer("admin"),
    newViewer("user"),
    newViewer("admin"),
    newViewer("admin"),
    newViewer("admin"),
  ]);
  await setRole(former.username, "user");
  await setDisabled(disabled.username, true);
  await letProofsPass(late.username);
});

const open = (path: string, { cookie }: Viewer, headers: Record<string, string> = HTML) =>
  ask(path, { headers: { ...headers, ...(cookie && { Cookie: cookie }) } });

const { lane, database } = inject("target");
/**
 * As a proxy passes on what it got over HTTPS. Plain Next believes nobody's, and would ask itself over HTTPS; the
 * services on PostgreSQL have an address of their own.
 */
const OVER_HTTPS: Record<string, string> =
  lane === "direct" && database === "sqlite"
    ? { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "keys.example.org" }
    : {};

/** What somebody sees of a page: its title, and its text without the reference of this one request. */
function seen({ status, text }: { status: number; text: string }) {
  const body = text
    .slice(text.indexOf("<body"))
    .replace(/<(script|style)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "(reference)")
    .replace(/\s+/g, " ");
  return { status, title: /<title>(.*?)<\/title>/.exec(text)?.[1], body };
}

describe.each(CONSOLE)("%s", (path) => {
  test.each([
    ["nobody", () => nobody],
    ["a disabled admin", () => disabled],
  ])("leads %s to sign in, and then back to it", async (_, who) => {
    for (const address of [path, `${path}?range=year`]) {
      const { status, headers } = await open(address, who());
      const next = encodeURIComponent(address).replaceAll("%2F", "/");
      expect([status, new URL(String(headers.location), origin).href]).toEqual([307, `${origin}/signin?next=${next}`]);
    }
    // Nor is anything of it in what Next's scripts load.
    const contents = await open(path, who(), { RSC: "1" });
    expect(contents.status).not.toBe(200);
    expect(contents.text).not.toMatch(/aria-label":"Console|Statistics/);
  });

  test.each([
    ["a user", () => user],
    ["a former admin", () => former],
  ])("tells %s that it is for administrators, and nothing else", async (_, who) => {
    for (const address of [path, `${path}/`, `${path}?range=year`]) {
      const { status, title, body } = seen(await open(address, who()));
      expect([status, title], address).toEqual([404, "Page not found · Latchkey"]);
      expect(body).toContain(`Only administrators can open this address, and ${who().username} isn&#x27;t one.`);
    }
    const unknown = seen(await open("/admin-of-nothing", who(), { ...HTML, "X-Hidden-Console": "1" }));
    expect(unknown.body).toContain("The address may be mistyped");
    // Cookies of the service without HTTPS count for nobody there.
    expect((await open(path, who(), { ...HTML, ...OVER_HTTPS })).status).toBe(
      "X-Forwarded-Proto" in OVER_HTTPS ? 307 : 404,
    );
    const contents = await open(path, who(), { RSC: "1" });
    expect(contents.status).not.toBe(200);
    expect(contents.text).not.toMatch(/aria-label":"Console|Statistics/);
  });

  test.each([
    ["nobody", () => nobody],
    ["a user", () => user],
    ["an admin", () => admin],
  ])("does not exist for programs, with the cookie of %s", async (_, who) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const cookie = who().cookie;
      const headers = { Accept: "*/*", ...(cookie && { Cookie: cookie }) };
      const [unknown, here] = await Promise.all([
        ask("/admin-of-nothing", { method, headers }),
        ask(path, { method, headers }),
      ]);
      expect([here.status, here.body], method).toEqual([404, unknown.body]);
      expect(here.headers["content-type"]).toBe(unknown.headers["content-type"]);
    }
  });

  test("is there for an admin, and asks one with an old proof to confirm before it reads anything", async () => {
    const page = await open(path, admin);
    expect(page.status).toBe(200);
    expect(page.text).toContain('aria-label="Console"');
    const { headers } = await open(path, late, { RSC: "1" });
    for (const [address, sent] of [
      [path, HTML],
      [headers.location ?? path, { RSC: "1" }],
    ] as const) {
      const { status, text } = await open(address, late, sent);
      expect(status).toBe(200);
      expect(text).toContain(sent === HTML ? "asks again ten minutes after" : '"ways":');
      expect(text).not.toMatch(/aria-label(?:=|":)"Console|Statistics|Requests per second/);
      for (const other of [admin, user, former]) expect(text).not.toContain(other.username);
    }
  });
});

describe("the actions of the overview", () => {
  const ACTIONS = ["readLiveNumbers", "examineService", "readExamination"];
  const call = (name: string, { cookie }: Viewer, from = origin) =>
    callAction(origin, "/admin", name, [], { from, cookie });
  const refusals = ({ id }: Viewer) => db.auditEvent.count({ where: { actorId: id, action: "console.refuse" } });

  test.each(ACTIONS)("%s is refused to everybody but an admin with a recent proof", async (name) => {
    for (const who of [nobody, disabled]) expect((await call(name, who)).text).toContain("signed out");
    for (const who of [user, former]) {
      const before = await refusals(who);
      const { text } = await call(name, who);
      expect(text).toContain('"error":"There is nothing at this address."');
      expect(text).not.toMatch(/"within"|"findings"/);
      expect(await refusals(who)).toBe(before + 1);
    }
    const old = (await call(name, late)).text;
    expect(old).toContain('"proof"');
    expect(old).not.toMatch(/"within"|"findings"/);
    const foreign = await call(name, admin, "http://evil.example");
    expect(foreign.text).not.toMatch(/"within"|"findings"/);
    expect((await call(name, admin)).text).toMatch(/"ok":/);
  });

  test("an examination that was refused did not begin", async () => {
    const refused = [nobody, user, former, disabled, late];
    for (const who of refused) await call("examineService", who);
    const actorId = { in: refused.map(({ id }) => id) };
    expect(await db.auditEvent.count({ where: { action: "doctor.run", actorId } })).toBe(0);
  });
});

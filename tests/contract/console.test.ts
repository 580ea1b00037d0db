import { beforeAll, describe, expect, inject, test } from "vitest";
import { setRole } from "@/lib/accounts/identity/role";
import { db } from "@/lib/platform/db/client";
import { isConsole, PAGES } from "@/lib/platform/http/pages";
import { callAction } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { letProofsPass, type SignedIn, signedInAt } from "@/tests/support/signed-in";

const CONSOLE = [...PAGES].filter(isConsole);
const HTML = { Accept: "text/html,*/*;q=0.8" };

const nobody: SignedIn = { id: "", username: "", cookie: "" };
let admin: SignedIn;
let user: SignedIn;
let former: SignedIn;
let disabled: SignedIn;
let late: SignedIn;
beforeAll(async () => {
  [admin, user, former, disabled, late] = await Promise.all([
    signedInAt(origin, "admin"),
    signedInAt(origin),
    signedInAt(origin, "admin"),
    signedInAt(origin, "admin"),
    signedInAt(origin, "admin"),
  ]);
  await setRole(former.username, "user");
  // Not as an admin does it, which ends the sessions.
  await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
  await letProofsPass(late.username);
});

const open = (path: string, { cookie }: SignedIn, headers: Record<string, string> = HTML) =>
  ask(path, { headers: { ...headers, ...(cookie && { Cookie: cookie }) } });

/** As a proxy passes on what it got over HTTPS. A platform that vouches for addresses has one of its own. */
const OVER_HTTPS: Record<string, string> = inject("service").isOnVercel
  ? {}
  : { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "keys.example.org" };

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

const refusals = ({ id }: SignedIn) => db.auditEvent.count({ where: { actorId: id, action: "console.refuse" } });

/** Nor is anything of it in what Next's scripts load. */
async function expectNoContents(path: string, who: SignedIn) {
  const { status, text } = await open(path, who, { RSC: "1" });
  expect(status).not.toBe(200);
  expect(text).not.toMatch(/aria-label":"Console|Statistics/);
}

test("a user who asks for a page beside the console is told of none, whatever header they send", async () => {
  const unknown = seen(await open("/admin-of-nothing", user, { ...HTML, "X-Hidden-Console": "1" }));
  expect(unknown.body).toContain("The address may be mistyped");
  // Cookies of the service without HTTPS count for nobody there.
  const { status } = await open("/admin", user, { ...HTML, ...OVER_HTTPS });
  expect(status).toBe("X-Forwarded-Proto" in OVER_HTTPS ? 307 : 404);
});

describe.each(CONSOLE)("%s", (path) => {
  test.each([
    ["nobody", () => nobody],
    ["a disabled admin", () => disabled],
  ])("leads %s to sign in, and then back to it", async (_, who) => {
    const address = `${path}?range=year`;
    const { status, headers } = await open(address, who());
    const next = encodeURIComponent(address).replaceAll("%2F", "/");
    expect([status, new URL(String(headers.location), origin).href]).toEqual([307, `${origin}/signin?next=${next}`]);
    await expectNoContents(path, who());
  });

  test.each([
    ["a user", () => user],
    ["a former admin", () => former],
  ])("tells %s that it is for administrators, and nothing else", async (_, who) => {
    for (const address of [`${path}/`, `${path}?range=year`]) {
      const { status, title, body } = seen(await open(address, who()));
      expect([status, title], address).toEqual([404, "Page not found · Latchkey"]);
      expect(body).toContain(`Only administrators can open this address, and ${who().username} isn&#x27;t one.`);
    }
    await expectNoContents(path, who());
  });

  test("does not exist for programs, whose cookie they have", async () => {
    for (const [who, method] of [
      [nobody, "GET"],
      [user, "GET"],
      [admin, "GET"],
      [admin, "POST"],
      [admin, "DELETE"],
    ] as const) {
      const headers = { Accept: "*/*", ...(who.cookie && { Cookie: who.cookie }) };
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
      expect(text).toContain(sent === HTML ? "asks you to confirm every ten minutes" : '"methods":');
      expect(text).not.toMatch(/aria-label(?:=|":)"Console|Statistics|Requests per second/);
      for (const other of [admin, user, former]) expect(text).not.toContain(other.username);
    }
  });
});

describe("the actions of the overview", () => {
  const ACTIONS = ["readLiveNumbers", "examineService", "readExamination"];
  const call = (name: string, { cookie }: SignedIn, from = origin) =>
    callAction(origin, "/admin", name, [], { from, cookie });

  test.each(ACTIONS)("%s is refused to everybody but an admin with a recent proof", async (name) => {
    const refused = async (who: SignedIn, from?: string) => {
      const { text } = await call(name, who, from);
      expect(text).not.toMatch(/"within"|"findings"/);
      return text;
    };
    for (const who of [nobody, disabled]) expect(await refused(who)).toContain("signed out");
    for (const who of [user, former]) {
      const before = await refusals(who);
      expect(await refused(who)).toContain('"error":"There is nothing at this address."');
      expect(await refusals(who)).toBe(before + 1);
    }
    expect(await refused(late)).toContain('"proof"');
    await refused(admin, "http://evil.example");
    const actorId = { in: [user, former, disabled, late].map(({ id }) => id) };
    expect(await db.auditEvent.count({ where: { action: "doctor.run", actorId } })).toBe(0);
    expect((await call(name, admin)).text).toMatch(/"ok":/);
  });
});

const DOWNLOADS = ["/admin/audit/export?format=csv&which=nothing", "/admin/audit/newer?after=0&which=nothing"];

describe.each(DOWNLOADS)("%s", (path) => {
  const statusFor = async (who: SignedIn, headers: Record<string, string> = {}) =>
    (await open(path, who, headers)).status;

  test("is there for an admin with a recent proof, and never kept", async () => {
    const { status, headers } = await open(path, admin, {});
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(await statusFor(late)).toBe(403);
  });

  test("is refused to everybody else, and to a page of another site; users are recorded", async () => {
    for (const who of [nobody, disabled]) expect(await statusFor(who)).toBe(404);
    for (const who of [user, former]) {
      const before = await refusals(who);
      expect(await statusFor(who)).toBe(404);
      expect(await refusals(who)).toBe(before + 1);
    }
    for (const site of ["cross-site", "same-site"])
      expect(await statusFor(admin, { "Sec-Fetch-Site": site })).toBe(403);
    expect(await statusFor(admin, { "Sec-Fetch-Site": "same-origin" })).toBe(200);
  });

  test("with a filter that cannot be read is refused with a sentence", async () => {
    for (const query of ["who=nobody-of-this-name", "from=yesterday", "what=nothing"]) {
      const { status } = await open(`${path.split("?")[0]}?${query}`, admin, {});
      expect([400, 404]).toContain(status);
    }
  });
});

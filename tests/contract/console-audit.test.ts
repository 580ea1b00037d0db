import { beforeAll, expect, test } from "vitest";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { origin } from "@/tests/support/http";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const ROUTES = ["/admin/audit/export?format=csv&which=nothing", "/admin/audit/newer?after=0&which=nothing"];
const refusals = (userId: string) => db.auditEvent.count({ where: { action: "console.refuse", actorId: userId } });

interface Signed {
  id: string;
  cookie: string;
}

async function newUser(role: "user" | "admin"): Promise<Signed> {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD });
  await db.user.update({ where: { id }, data: { role } });
  return { id, cookie: await signInByPassword(origin, username, PASSWORD) };
}

const ask = (path: string, cookie?: string, more: Record<string, string> = {}) =>
  sendTo(origin, path, { headers: { ...(cookie && { Cookie: cookie }), ...more } });

let admin: Signed;
beforeAll(async () => {
  admin = await newUser("admin");
});

test.each(ROUTES)("%s is there for an administrator with a recent proof, and never kept", async (path) => {
  const answer = await ask(path, admin.cookie);
  expect(answer.status).toBe(200);
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test.each(ROUTES)("%s is refused to nobody, and to a user, of whom it is recorded", async (path) => {
  expect((await ask(path)).status).toBe(404);
  const user = await newUser("user");
  expect((await ask(path, user.cookie)).status).toBe(404);
  expect(await refusals(user.id)).toBe(1);
});

test.each(ROUTES)("%s is refused to a former and to a disabled administrator, and with an old proof", async (path) => {
  const former = await newUser("admin");
  expect((await ask(path, former.cookie)).status).toBe(200);
  await db.user.update({ where: { id: former.id }, data: { role: "user" } });
  expect((await ask(path, former.cookie)).status).toBe(404);
  expect(await refusals(former.id)).toBe(1);

  const disabled = await newUser("admin");
  await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
  expect((await ask(path, disabled.cookie)).status).toBe(404);

  const old = await newUser("admin");
  const since = new Date(Date.now() - 11 * 60_000);
  await db.session.updateMany({ where: { userId: old.id }, data: { createdAt: since } });
  expect((await ask(path, old.cookie)).status).toBe(403);
});

test.each(ROUTES)("%s is refused to a page of another site", async (path) => {
  for (const site of ["cross-site", "same-site"])
    expect((await ask(path, admin.cookie, { "Sec-Fetch-Site": site })).status).toBe(403);
  expect((await ask(path, admin.cookie, { "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
});

test("a filter that cannot be read is refused with a sentence", async () => {
  for (const query of ["who=nobody-of-this-name", "from=yesterday", "what=nothing"])
    for (const route of ["export", "newer"]) {
      const answer = await ask(`/admin/audit/${route}?${query}`, admin.cookie);
      expect([400, 404]).toContain(answer.status);
    }
});

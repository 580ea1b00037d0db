import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setRole } from "@/lib/accounts/identity/role";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { type ListUsers, listUsers } from "@/lib/operator/users/list";
import { type Sort, USER_SORTS } from "@/lib/operator/users/queries";
import { countUsers } from "@/lib/operator/users/summaries";
import { setDisabledOfMany } from "@/lib/operator/users/update";
import { showUser } from "@/lib/operator/users/view";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { deleteAccountAs } from "@/lib/user-data/delete";
import { codeOf } from "../support/statements";
import { makeUser } from "../support/user";

const prefix = `z${newId().slice(0, 7)}_`;
const DAY_MS = 24 * 3600_000;
const names = async (options: Partial<ListUsers>) =>
  (await listUsers({ limit: 100, name: prefix, ...options })).users.map(({ username }) =>
    username.slice(prefix.length),
  );

/** Users with these names, and with rows as a sweep would leave them. */
beforeAll(async () => {
  await countUsers();
  for (const [n, name] of ["a", "B", "c", "d", "e"].entries()) {
    const role = name === "B" ? "admin" : "user";
    const password = n < 2 ? "correct horse battery" : null;
    const { id } = await createUser({ username: prefix + name, role, password });
    const createdAt = new Date(Date.now() - (n + 10) * DAY_MS);
    const seenAt = new Date(createdAt.getTime() + n * 2 * DAY_MS);
    const data = { createdAt, seenAt, keys: 2_000_000 - n, bytes: 9e15 + (n % 3) };
    await db.userSummary.update({ where: { userId: id }, data });
  }
  await setDisabled(`${prefix}c`, { disabled: true });
});

describe("a list of users", () => {
  test("finds names by their beginning, in any case, and filters", async () => {
    expect(await names({})).toEqual(["a", "B", "c", "d", "e"]);
    expect(await names({ name: prefix.toUpperCase() })).toHaveLength(5);
    expect(await names({ name: `${prefix}b` })).toEqual(["B"]);
    expect(await names({ role: "admin" })).toEqual(["B"]);
    expect(await names({ role: "user" })).toEqual(["a", "c", "d", "e"]);
    expect(await names({ disabled: true })).toEqual(["c"]);
    expect(await names({ disabled: false })).toEqual(["a", "B", "d", "e"]);
    expect(await names({ passwordless: true })).toEqual(["c", "d", "e"]);
    expect(await names({ idleDays: 9 })).toEqual(["a", "B"]);
    expect(await names({ idleDays: 9, role: "user" })).toEqual(["a"]);
    expect(await names({ name: `${prefix}%` })).toEqual([]);
    expect(await names({ name: "ä\0'\"\\_" })).toEqual([]);
  });

  test("is sorted by each column both ways, in pages that lose and repeat nobody", async () => {
    const orders: Partial<Record<Sort, string>> = { created: "aBcde", seen: "edcBa", keys: "aBcde" };
    for (const sort of USER_SORTS)
      for (const direction of ["ascending", "descending"] as const) {
        const whole = await listUsers({ limit: 1_000, sort, direction });
        const ours = whole.users.filter(({ username }) => username.startsWith(prefix));
        expect(ours).toHaveLength(5);
        const order = ours.map(({ username }) => username.slice(prefix.length));
        if (orders[sort])
          expect(order).toEqual([...(direction === "descending" ? orders[sort] : [...orders[sort]].reverse())]);
        const paged: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await listUsers({ limit: 3, sort, direction, after, idleDays: 1 });
          paged.push(...page.users.map(({ username }) => username));
          if (page.next === null || paged.length > 2_000) break;
          after = page.next;
        }
        expect(new Set(paged).size).toBe(paged.length);
        expect(paged).toEqual(
          (await listUsers({ limit: 1_000, sort, direction, idleDays: 1 })).users.map(({ username }) => username),
        );
      }
  });

  test("begins again with a place that is not one of its own", async () => {
    const first = await names({});
    const { next } = await listUsers({ limit: 1, sort: "keys" });
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const foreign = [forged({}), forged(["a".repeat(30)]), forged([1e300, "a"])];
    for (const after of ["", "x", next ?? "", ...foreign, "A".repeat(9_000)])
      expect(await names({ after })).toEqual(first);
    for (const sort of USER_SORTS)
      for (const value of [-1, 2 ** 40, 8.64e15, null, 1.5, "1"])
        expect((await listUsers({ limit: 1, sort, after: forged([value, "a"]) })).users.length).toBeLessThanOrEqual(1);
  });

  test("refuses lengths and days that are out of bounds", async () => {
    for (const limit of [0, 1_001, 0.5, Number.NaN])
      await expect(listUsers({ limit })).rejects.toMatchObject({ status: 400 });
    for (const idleDays of [0, -1, 0.5, 36_501])
      await expect(listUsers({ limit: 1, idleDays })).rejects.toMatchObject({ status: 400 });
  });
});

describe("administrators", () => {
  const makeAdmin = () => makeUser({ role: "admin" });
  const admins = () => db.user.count({ where: { role: "admin", disabledAt: null } });

  // This looks at all administrators of a database.
  beforeEach(async () => {
    await db.user.updateMany({ data: { role: "user" } });
  });

  test("the last administrator keeps the role, and can only be stopped by the operator", async () => {
    const admin = await makeAdmin();
    await makeUser({ role: "admin", disabledAt: new Date() });
    expect(await codeOf(setRole(admin.username, "user", { actorId: admin.id }))).toBe("last_admin");
    expect(await codeOf(setDisabled(admin.username, { disabled: true, actorId: admin.id }))).toBe("own_account");
    expect(await codeOf(deleteAccountAs(admin.id, admin.username, { confirmation: admin.username }))).toBe(
      "own_account",
    );
    expect(await admins()).toBe(1);
    const other = await makeAdmin();
    expect(await codeOf(setRole(admin.username, "user", { actorId: admin.id }))).toBe("ok");
    expect(await codeOf(setDisabled(other.username, { disabled: true, actorId: admin.id }))).toBe("last_admin");
    expect(await codeOf(deleteAccountAs(admin.id, other.username, { confirmation: other.username }))).toBe(
      "last_admin",
    );
    expect(await codeOf(setRole(other.username, "user"))).toBe("ok");
    expect(await admins()).toBe(0);
  });

  // PostgreSQL takes a second to find that two wait for each other.
  test("administrators who act on each other at once leave one", async () => {
    for (let round = 0; round < 4; round++) {
      await db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
      const [one, two] = [await makeAdmin(), await makeAdmin()];
      const outcomes = await Promise.all([
        codeOf(
          round % 2 === 0
            ? setRole(one.username, "user", { actorId: two.id })
            : setDisabled(one.username, { disabled: true, actorId: two.id }),
        ),
        codeOf(
          round % 3 === 0
            ? deleteAccountAs(one.id, two.username, { confirmation: two.username })
            : setRole(two.username, "user", { actorId: one.id }),
        ),
      ]);
      expect(outcomes.sort()).toEqual(["last_admin", "ok"]);
      expect(await admins()).toBe(1);
    }
  });

  test("whoever deletes an account types its name, and is in the trail", async () => {
    const [admin, user] = [await makeAdmin(), await makeUser()];
    expect(await codeOf(deleteAccountAs(admin.id, user.username, { confirmation: "someone" }))).toBe(
      "invalid_parameter",
    );
    await deleteAccountAs(admin.id, user.username, { confirmation: ` ${user.username.toUpperCase()} ` });
    expect(await db.user.count({ where: { id: user.id } })).toBe(0);
    const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
    expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["user.delete", admin.id],
      ["account.delete", user.id],
    ]);
    expect(await codeOf(deleteAccountAs(admin.id, user.username, { confirmation: user.username }))).toBe(
      "user_not_found",
    );
  });

  test("an administrator disables several users at once, each with a result, and never themselves", async () => {
    const admin = await makeUser({ role: "admin" });
    const [one, two] = [await makeUser(), await makeUser()];
    const names = [one.username, "nobody_here", admin.username, two.username];
    const results = await setDisabledOfMany(names, { disabled: true, actorId: admin.id });
    expect(results).toEqual([
      { username: one.username, refused: null },
      { username: "nobody_here", refused: expect.stringContaining("no user") },
      { username: admin.username, refused: expect.stringContaining("your own account") },
      { username: two.username, refused: null },
    ]);
    expect((await showUser(two.username)).disabledAt).not.toBeNull();
    const event = await db.auditEvent.findFirst({ where: { subjectId: two.id, action: "user.disable" } });
    expect(event).toMatchObject({ actorId: admin.id });
    const tooMany = Array.from({ length: 201 }, (_, n) => `u${n}`);
    await expect(setDisabledOfMany(tooMany, { disabled: true })).rejects.toMatchObject({ status: 400 });
  });
});

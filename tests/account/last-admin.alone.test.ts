import { beforeEach, expect, test } from "vitest";
import { deleteAccountAs } from "@/lib/account/delete";
import { setDisabled, setRole } from "@/lib/auth/standing";
import { db } from "@/lib/db/client";
import { makeUser } from "../support/user";

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );
const makeAdmin = () => makeUser({ role: "admin" });
const admins = () => db.user.count({ where: { role: "admin", disabledAt: null } });

// This looks at all administrators of a database.
beforeEach(async () => {
  await db.user.updateMany({ data: { role: "user" } });
});

test("the last administrator keeps the role, and can only be stopped by the operator", async () => {
  const admin = await makeAdmin();
  await makeUser({ role: "admin", disabledAt: new Date() });
  expect(await refusal(setRole(admin.username, "user", admin.id))).toBe("last_admin");
  expect(await refusal(setDisabled(admin.username, true, admin.id))).toBe("own_account");
  expect(await refusal(deleteAccountAs(admin.id, admin.username, admin.username))).toBe("own_account");
  expect(await admins()).toBe(1);
  const other = await makeAdmin();
  expect(await refusal(setRole(admin.username, "user", admin.id))).toBe("done");
  expect(await refusal(setDisabled(other.username, true, admin.id))).toBe("last_admin");
  expect(await refusal(deleteAccountAs(admin.id, other.username, other.username))).toBe("last_admin");
  expect(await refusal(setRole(other.username, "user"))).toBe("done");
  expect(await admins()).toBe(0);
});

// PostgreSQL takes a second to find that two wait for each other.
test("administrators who act on each other at once leave one", async () => {
  for (let round = 0; round < 6; round++) {
    await db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const [one, two] = [await makeAdmin(), await makeAdmin()];
    const outcomes = await Promise.all([
      refusal(round % 2 === 0 ? setRole(one.username, "user", two.id) : setDisabled(one.username, true, two.id)),
      refusal(
        round % 3 === 0 ? deleteAccountAs(one.id, two.username, two.username) : setRole(two.username, "user", one.id),
      ),
    ]);
    expect(outcomes.sort()).toEqual(["done", "last_admin"]);
    expect(await admins()).toBe(1);
  }
});

test("whoever deletes an account types its name, and is in the trail", async () => {
  const [admin, user] = [await makeAdmin(), await makeUser()];
  expect(await refusal(deleteAccountAs(admin.id, user.username, "someone"))).toBe("invalid_parameter");
  await deleteAccountAs(admin.id, user.username, ` ${user.username.toUpperCase()} `);
  expect(await db.user.count({ where: { id: user.id } })).toBe(0);
  const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["user.delete", admin.id],
    ["account.delete", user.id],
  ]);
  expect(await refusal(deleteAccountAs(admin.id, user.username, user.username))).toBe("user_not_found");
});

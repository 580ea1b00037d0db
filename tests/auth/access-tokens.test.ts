import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { endingTokens, tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { sweepTokens } from "@/lib/accounts/identity/access-tokens/sweep";
import { findTokenCaller, recordUse } from "@/lib/accounts/identity/access-tokens/use";
import { isName, nameKey, nextFreeName } from "@/lib/accounts/identity/names";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { removeToken } from "@/lib/user-data/revoke-token";
import { newNetwork } from "@/tests/support/request";
import { makeUser, type TestUser } from "@/tests/support/user";

const DAY_MS = 24 * 60 * 60 * 1000;
const { TOKEN_IDLE_DAYS } = env;
const EVERYTHING = { access: "everything", days: null } as const;
const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

describe("a token of a program's own", () => {
  let user: TestUser;
  beforeEach(async () => {
    user = await makeUser();
  });

  test("finds its user, with its name, access and end", async () => {
    const [admin, now] = [await makeUser({ role: "admin" }), new Date()];
    const { token, id, expiresAt } = await createToken(
      admin.id,
      { name: " Tool ", access: "read", days: 30 },
      { actorId: admin.id, now },
    );
    expect(token).toMatch(/^lkt_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/);
    expect(expiresAt).toEqual(later(now, 30 * DAY_MS));
    expect(await findTokenCaller(token)).toEqual({
      id: admin.id,
      username: admin.username,
      role: "admin",
      accessToken: { id, name: "Tool", access: "read", expiresAt, audiences: ["Tool"], party: "Tool" },
    });
  });

  test("proves its user to what has its name, in which any blanks are one", async () => {
    const { token, name } = await createToken(user.id, { name: "My  new\u00a0laptop", ...EVERYTHING });
    expect(name).toBe("My  new\u00a0laptop");
    expect((await findTokenCaller(token)).accessToken?.audiences).toEqual(["My new laptop"]);
    const named = { name: "Another", audience: "My  laptop", ...EVERYTHING };
    await expect(createToken(user.id, named)).rejects.toMatchObject({ status: 400, field: "audience" });
  });

  test("stops at its very second, and not before", async () => {
    const { token, expiresAt } = await createToken(user.id, { name: "Tool", access: "read", days: 1 });
    const end = expiresAt as Date;
    expect(await findTokenCaller(token, later(end, -1))).toMatchObject({ id: user.id });
    await expect(findTokenCaller(token, end)).rejects.toMatchObject({ status: 401, code: "invalid_token" });
  });

  test("stops when it is removed, by its id or its name in any case, and for other users it is not there", async () => {
    const other = await makeUser();
    const [one, two] = [
      await createToken(user.id, { name: "One", ...EVERYTHING }),
      await createToken(user.id, { name: "Two", ...EVERYTHING }),
    ];
    await expect(removeToken(other.id, { id: one.id })).rejects.toMatchObject({ code: "token_not_found" });
    expect(await removeToken(user.id, { id: one.id })).toBe("One");
    expect(await removeToken(user.id, { name: " TWO" })).toBe("Two");
    for (const { token } of [one, two])
      await expect(findTokenCaller(token)).rejects.toMatchObject({ code: "invalid_token" });
    await expect(removeToken(user.id, { id: one.id })).rejects.toMatchObject({ code: "token_not_found" });
    const events = await db.auditEvent.findMany({ where: { subjectId: one.id }, orderBy: { id: "asc" } });
    expect(events.map(({ action, detail }) => [action, JSON.parse(detail).name])).toEqual([
      ["token.create", "One"],
      ["token.revoke", "One"],
    ]);
  });

  test("is refused while its user is disabled", async () => {
    const { token } = await createToken(user.id, { name: "Tool", ...EVERYTHING });
    await setDisabled(user.username, { disabled: true });
    await expect(findTokenCaller(token)).rejects.toMatchObject({ status: 403, code: "account_disabled" });
    await expect(createToken(user.id, { name: "Other", ...EVERYTHING })).rejects.toMatchObject({
      code: "account_disabled",
    });
    await setDisabled(user.username, { disabled: false });
    expect(await findTokenCaller(token)).toMatchObject({ id: user.id });
  });

  test("has a name that can be shown and that no other token of its user has", async () => {
    const other = await makeUser();
    await createToken(user.id, { name: "Tool", ...EVERYTHING });
    await createToken(other.id, { name: "Tool", ...EVERYTHING });
    const taken = { status: 409, code: "token_name_taken", field: "name" };
    await expect(createToken(user.id, { name: "TOOL", ...EVERYTHING })).rejects.toMatchObject(taken);
    await expect(createToken(user.id, { name: "a\u202eb", ...EVERYTHING })).rejects.toMatchObject({
      status: 400,
      field: "name",
    });
  });

  test("is one of a thousand at most", async () => {
    const row = { userId: user.id, access: "read", createdAt: new Date(), startsAt: new Date() };
    const rows = Array.from({ length: 999 }, (_, n) => ({
      ...row,
      id: newId(),
      name: `${n}`,
      nameKey: `${n}`,
      hash: newId(),
    }));
    await db.accessToken.createMany({ data: rows });
    const { id } = await createToken(user.id, { name: "the last", ...EVERYTHING });
    const refusal = { status: 403, code: "token_limit" };
    await expect(createToken(user.id, { name: "one more", ...EVERYTHING })).rejects.toMatchObject(refusal);
    await removeToken(user.id, { id });
    await createToken(user.id, { name: "one more", ...EVERYTHING });
    expect(await tokensOf(user.id)).toHaveLength(1_000);
  });

  test("tells when it was used, to five minutes, and the trail the first use from each network", async () => {
    const { token, id } = await createToken(user.id, { name: "Tool", ...EVERYTHING });
    expect(await tokensOf(user.id)).toMatchObject([
      { id, name: "Tool", state: "works", usedAt: null, createdFor: null },
    ]);
    const caller = await findTokenCaller(token);
    const [home, away] = [newNetwork(), newNetwork()];
    const now = new Date();
    const events = () =>
      db.auditEvent.findMany({ where: { subjectId: id, action: "token.use" }, orderBy: { id: "asc" } });
    recordUse(caller, { network: home, now });
    recordUse(caller, { network: home, now: later(now, 1_000) });
    await expect.poll(async () => (await tokensOf(user.id))[0]?.usedAt).toEqual(now);
    recordUse(caller, { network: away, now: later(now, 2_000) });
    await expect.poll(async () => (await events()).length).toBe(2);
    expect((await events()).map(({ detail }) => JSON.parse(detail).network)).toEqual([home.id, away.id]);
    expect((await tokensOf(user.id))[0]?.usedAt).toEqual(now);
  });

  test("is told apart by 50 networks at most", async () => {
    const { token, id } = await createToken(user.id, { name: "Tool", ...EVERYTHING });
    const since = new Date();
    const networks = Array.from({ length: 49 }, () => ({ tokenId: id, network: newNetwork().id, since }));
    await db.accessTokenNetwork.createMany({ data: networks });
    const caller = await findTokenCaller(token);
    const [last, beyond] = [newNetwork(), newNetwork()];
    recordUse(caller, { network: last, now: since });
    await expect.poll(() => db.auditEvent.count({ where: { subjectId: id, action: "token.use" } })).toBe(1);
    const afterwards = later(since, 600_000);
    recordUse(caller, { network: beyond, now: afterwards });
    await expect.poll(async () => (await tokensOf(user.id))[0]?.usedAt).toEqual(afterwards);
    expect(await db.accessTokenNetwork.count({ where: { tokenId: id } })).toBe(50);
    expect(await db.auditEvent.count({ where: { subjectId: id, action: "token.use" } })).toBe(1);
  });

  test("is deleted 30 days after its end, and with its account", async () => {
    const { id, expiresAt } = await createToken(user.id, { name: "Tool", access: "read", days: 1 });
    const end = expiresAt as Date;
    await sweepTokens(later(end, 30 * DAY_MS - 1));
    expect(await tokensOf(user.id, end)).toMatchObject([{ id, state: "ended" }]);
    await sweepTokens(later(end, 30 * DAY_MS));
    expect(await tokensOf(user.id)).toEqual([]);
    await createToken(user.id, { name: "Tool", ...EVERYTHING });
    await db.user.delete({ where: { id: user.id } });
    expect(await db.accessToken.count({ where: { userId: user.id } })).toBe(0);
  });
});

test("with TOKEN_IDLE_DAYS, a token that nobody uses ends, and each use moves its end", async () => {
  Object.assign(env, { TOKEN_IDLE_DAYS: 7 });
  onTestFinished(() => void Object.assign(env, { TOKEN_IDLE_DAYS }));
  const user = await makeUser();
  const start = new Date();
  const after = (days: number, ms = 0) => later(start, days * DAY_MS + ms);
  const { token, id } = await createToken(
    user.id,
    { name: "Tool", access: "read", days: 30 },
    { actorId: user.id, now: start },
  );
  const use = (usedAt: Date) => db.accessToken.update({ where: { id }, data: { usedAt } });
  expect(await tokensOf(user.id)).toMatchObject([{ endsAt: after(7) }]);
  expect(await findTokenCaller(token, after(7, -1))).toMatchObject({ id: user.id });
  await expect(findTokenCaller(token, after(7))).rejects.toMatchObject({ code: "invalid_token" });

  await use(after(6));
  expect(await findTokenCaller(token, after(12))).toMatchObject({ id: user.id });
  await use(after(28));
  expect(await tokensOf(user.id)).toMatchObject([{ endsAt: after(30) }]);

  await use(after(6));
  await sweepTokens(after(43, -1));
  expect(await tokensOf(user.id)).toHaveLength(1);
  await sweepTokens(after(43));
  expect(await tokensOf(user.id)).toEqual([]);
});

test("without it, a new token ends after 90 days without use, and one from before that was so never", async () => {
  const user = await makeUser();
  const start = new Date();
  const after = (days: number, ms = 0) => later(start, days * DAY_MS + ms);
  const made = { actorId: user.id, now: start };
  const { token } = await createToken(user.id, { name: "New", ...EVERYTHING }, made);
  const old = await createToken(user.id, { name: "Old", ...EVERYTHING }, made);
  await db.accessToken.update({ where: { id: old.id }, data: { idleDays: null } });
  const ends = async () => Object.fromEntries((await tokensOf(user.id)).map(({ name, endsAt }) => [name, endsAt]));
  expect(await ends()).toEqual({ New: after(90), Old: null });
  expect(await endingTokens(user.id, after(83, -1))).toEqual([]);
  expect(await endingTokens(user.id, after(83))).toMatchObject([{ name: "New", isUnused: true }]);
  expect(await findTokenCaller(token, after(90, -1))).toMatchObject({ id: user.id });
  await expect(findTokenCaller(token, after(90))).rejects.toMatchObject({ code: "invalid_token" });
  expect(await findTokenCaller(old.token, after(3_000))).toMatchObject({ id: user.id });
  await sweepTokens(after(120));
  expect(await ends()).toEqual({ Old: null });
});

describe("the name of a program", () => {
  test.each([
    ...["MyTool", "a", "7", "Jürgens Gerät", "名前", "My Tool 2.0 (beta)"],
    "x".repeat(40),
    "\u{1D49C}".repeat(40),
  ])("may be %s", (name) => expect(isName(name)).toBe(true));

  test.each([
    ["", "nothing"],
    ["   ", "blanks"],
    ["...", "no letter"],
    ["x".repeat(41), "41 characters"],
    ["a\nb", "a line break"],
    ["a\u2028b", "a line separator"],
    ["a\u202eb", "a control of the writing direction"],
    ["a\u2066b", "an isolate"],
    ["a\u200bb", "a blank of no width"],
    ["a\u0007b", "a control character"],
    ["a\ud800b", "half of a surrogate pair"],
    ["\u3164", "a letter that looks like nothing"],
    ["Ba\ufe0fckup", "a selector of a variant"],
    ["Ba\u034fckup", "a joiner without looks"],
    ["Ba\u17b4ckup", "a vowel that looks like nothing"],
    ["e\u0301\u0301\u0301", "a tower of accents"],
    ["\ue000a", "a private character"],
  ])("may not be %j: %s", (name) => expect(isName(name)).toBe(false));

  test("is the same in any case, and with any blanks between its words", () => {
    expect(nameKey("My \u3000 TOOL")).toBe(nameKey("my tool"));
    expect(nameKey("mytool")).not.toBe(nameKey("my tool"));
  });

  test("gets the next number if another token has it, and keeps to 40 characters", () => {
    expect(nextFreeName("Tool", new Set())).toBe("Tool");
    expect(nextFreeName("Tool", new Set([nameKey("TOOL"), nameKey("Tool 2")]))).toBe("Tool 3");
    const longest = "x".repeat(40);
    expect(nextFreeName(longest, new Set([longest]))).toBe(`${"x".repeat(38)} 2`);
  });
});

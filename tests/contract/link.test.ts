import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { mintToken } from "@/lib/tokens";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked, expectSuccess } from "./answers";
import { age, approve, deny, newCode, poll } from "./link";

const linkedTo = (token: string) => `{"linked":true,"token":"${token}"}`;

describe("happy", () => {
  test("/link/code answers a code and nothing else, and the rest in headers", async () => {
    const { text, headers } = expectSuccess(await ask("/link/code"));
    const code = /^\{"code":"([A-HJ-NP-Z]{6})"\}$/.exec(text)?.[1];
    expect(headers.link).toBe(`<${origin}/link?code=${code}>; rel="verification"`);
    expect(headers["link-expires-in"]).toBe("600");
    expect(headers["link-interval"]).toMatch(/^[1-9]\d*$/);
    expect(headers["link-secret"]).toMatch(/^[\w-]{43}$/);
  });

  test("the program gets the token of who approved, the same that every auth takes", async () => {
    const user = await makeUser();
    const code = await newCode();
    expectNotLinked(await poll(code));
    await approve(code, user);
    expect(expectSuccess(await poll(code)).text).toBe(linkedTo(user.token));
    expect(expectSuccess(await ask("/me", { query: { auth: user.token } })).body?.username).toBe(user.username);
  });

  test("a lost response is repeated for 10 seconds, and then no more", async () => {
    const user = await makeUser();
    const code = await newCode();
    await approve(code, user);
    for (let time = 0; time < 3; time++) expect((await poll(code)).text).toBe(linkedTo(user.token));
    await age(code, user, 3);
    expect((await poll(code)).text).toBe(linkedTo(user.token));
    await age(code, user, 8);
    expectNotLinked(await poll(code));
  });

  test("an approval in time is good for 5 minutes more, beyond the 10 of the code", async () => {
    const user = await makeUser();
    const code = await newCode();
    await approve(code, user);
    await db.linkCode.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(Date.now() - 1_000) } });
    await age(code, user, 290);
    expect((await poll(code)).text).toBe(linkedTo(user.token));
  });
});

describe("error", () => {
  test("a code that was denied cannot be approved any more", async () => {
    const user = await makeUser();
    const code = await newCode();
    await deny(code, user);
    await expect(approve(code, user)).rejects.toMatchObject({ status: 409, code: "code_unusable" });
    expectNotLinked(await poll(code));
  });

  test("an account whose token was rotated, or that was deleted, after approval gives nothing away", async () => {
    const [rotated, deleted] = [await makeUser(), await makeUser()];
    const [first, second] = [await newCode(), await newCode()];
    await approve(first, rotated);
    await approve(second, deleted);
    await db.user.update({ where: { id: rotated.id }, data: mintToken(rotated.id).stored });
    await db.user.delete({ where: { id: deleted.id } });
    expectNotLinked(await poll(first));
    expectNotLinked(await poll(second));
  });
});

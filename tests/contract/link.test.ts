import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { mintToken } from "@/lib/tokens";
import { type Answer, ask, origin } from "@/tests/support/http";
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
  });

  test("the program gets the token of who approved, the same that every auth takes", async () => {
    const user = await makeUser();
    const code = await newCode();
    expectNotLinked(await poll(code));
    await approve(code, user);
    expect(expectSuccess(await poll(code)).text).toBe(linkedTo(user.token));
    expect(expectSuccess(await ask("/me", { query: { auth: user.token } })).body?.username).toBe(user.username);
  });

  test("any case of the letters will do", async () => {
    const user = await makeUser();
    const code = await newCode();
    await approve(code, user);
    expect(expectSuccess(await poll(code.toLowerCase())).text).toBe(linkedTo(user.token));
    expect((await poll(`${code.slice(0, 3).toLowerCase()}${code.slice(3)}`)).text).toBe(linkedTo(user.token));
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
  test("pending, denied, expired, collected, unknown, malformed codes get the same bytes in response", async () => {
    const user = await makeUser();
    const [pending, denied, expired, late, collected] = [
      await newCode(),
      await newCode(),
      await newCode(),
      await newCode(),
      await newCode(),
    ];
    await deny(denied, user);
    await approve(late, user);
    await age(late, user, 301);
    await approve(collected, user);
    await poll(collected);
    await age(collected, user, 11);
    await age(expired, user, 601);
    const answers: Answer[] = [];
    for (const code of [pending, denied, expired, late, collected, "QXQXQX", "abcdß", "ABCDEF7", ""])
      answers.push(expectNotLinked(await poll(code)));
    const shown = answers.map(({ headers }) => ({ ...headers, date: "", "x-request-id": "" }));
    expect(new Set(shown.map((headers) => JSON.stringify(headers))).size).toBe(1);
  });

  test("a code that was denied cannot be approved any more", async () => {
    const user = await makeUser();
    const code = await newCode();
    await deny(code, user);
    await expect(approve(code, user)).rejects.toMatchObject({ status: 409, code: "code_unusable" });
    expectNotLinked(await poll(code));
  });

  test(
    "an account that was disabled, or whose token was rotated, between approval and collecting gives " + "nothing away",
    async () => {
      const [disabled, rotated] = [await makeUser(), await makeUser()];
      const [first, second] = [await newCode(), await newCode()];
      await approve(first, disabled);
      await approve(second, rotated);
      await db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
      await db.user.update({ where: { id: rotated.id }, data: mintToken(rotated.id).stored });
      expectNotLinked(await poll(first));
      expectNotLinked(await poll(second));
    },
  );
});

import { describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectSuccess } from "./answers";
import { as, newKey, share } from "./keys";
import { ROUTES } from "./routes";

describe("/me", () => {
  test("says who the token belongs to, and how much that user has", async () => {
    const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
    const me = (await as(user, "/me")).body;
    expect(me).toEqual({
      username: user.username,
      role: "user",
      createdAt: me?.createdAt,
      keys: 0,
      files: { entries: 0, bytes: 0 },
      token: { name: null, access: "everything", expiresAt: null },
    });
    expect(new Date(String(me?.createdAt)).toISOString()).toBe(me?.createdAt);
    await newKey(user);
    await share(other, await newKey(other), user);
    expect(expectSuccess(await as(user, "/me")).body?.keys).toBe(2);
  });

  test("shows the username as it was typed at sign-up, and the role", async () => {
    const user = await makeUser({ username: `Mixed-${Date.now() % 1e9}`, role: "admin" });
    expect((await as(user, "/me")).body).toMatchObject({ username: user.username, role: "admin" });
  });

  test("holds no secret", async () => {
    const user = await makeUser();
    const { text } = await as(user, "/me");
    expect(text).not.toContain(user.token);
    expect(text).not.toMatch(/hash|sealed|password/i);
  });
});

describe("/health", () => {
  test("returns ok while the database responds", async () => {
    expect(expectSuccess(await ask("/health")).text).toBe('{"status":"ok"}');
  });
});

describe("/openapi.json", () => {
  test("describes every route with its parameters, answers and errors", async () => {
    const { body } = expectSuccess(await ask("/openapi.json"));
    const paths = body?.paths as Record<
      string,
      {
        get: {
          summary: string;
          parameters?: { name: string; required?: boolean }[];
          responses: Record<string, unknown>;
        };
      }
    >;
    expect(body?.openapi).toBe("3.1.0");
    expect(body?.servers).toEqual([{ url: origin }]);
    for (const { pattern, required, needsToken } of ROUTES) {
      const described = paths[pattern]?.get;
      expect(described?.summary).toMatch(/\w{3}/);
      expect(described?.responses).toHaveProperty("200");
      if (needsToken) expect(described?.responses).toHaveProperty("401");
      const names = (described?.parameters ?? []).filter((parameter) => parameter.required).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(required));
    }
  });
});

test("/docs is a page to read it", async () => {
  const answer = await ask("/docs");
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^text\/html/);
  for (const { pattern } of ROUTES) expect(answer.text).toContain(pattern);
});

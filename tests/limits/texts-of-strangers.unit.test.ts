import { expect, test } from "vitest";
import { checkPassword } from "@/lib/auth/passwords";
import { hashSecret, newSecret } from "@/lib/one-time-links/one-time-link";
import { usernameKey } from "@/lib/usernames";

const LONG = "A".repeat(60_000);

test("a text longer than any secret of a link is refused before it is hashed", () => {
  expect(hashSecret(newSecret())).toMatch(/^[0-9a-f]{64}$/);
  expect(() => hashSecret(`${newSecret()}A`)).toThrow(expect.objectContaining({ status: 404, code: "bad_link" }));
  expect(() => hashSecret(LONG)).toThrow(expect.objectContaining({ code: "bad_link" }));
});

test("of a name, no more is read than twice the longest", () => {
  expect(usernameKey("Alice")).toBe("alice");
  expect(usernameKey(LONG)).toBe("a".repeat(40));
});

test("a password longer than any is refused", async () => {
  for (const password of [LONG, "😀".repeat(201)])
    await expect(checkPassword(password)).rejects.toMatchObject({ status: 400, field: "password" });
  await checkPassword("😀".repeat(200));
});

import { expect, test } from "vitest";
import { createUser } from "@/lib/auth/users";
import { ask, origin } from "@/tests/support/http";
import { signInByPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";

const PASSWORD = "correct horse battery";

test("without SMTP_URL no page mentions e-mail, and its own page is not there", async () => {
  const username = newUsername();
  await createUser({ username, password: PASSWORD });
  const Cookie = await signInByPassword(origin, username, PASSWORD);
  for (const path of ["/signin", "/signup", "/recover", "/recover/link"]) {
    const { status, text } = await ask(path);
    expect([path, status, /e-?mail/i.test(shown(text))]).toEqual([path, 200, false]);
  }
  for (const path of ["/account", "/account/activity"]) {
    const { status, text } = await ask(path, { headers: { Cookie } });
    expect([path, status, /e-?mail/i.test(shown(text))]).toEqual([path, 200, false]);
  }
  expect((await ask("/email", { headers: { Accept: "text/html" } })).status).toBe(404);
});

/** What a person sees of a page. */
function shown(text: string): string {
  return text.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]*>/g, " ");
}

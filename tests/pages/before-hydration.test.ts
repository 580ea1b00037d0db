import { describe, expect, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { origin } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { newKey, tickOf } from "./keys-page";
import { button, focused, holdBack, press, submit, told } from "./on-page";
import { atAccountOf, newSignedIn, newVisitor, submitAccount } from "./visitor";

const shared = await newVisitor();
const { page } = shared;

/** Opens a page whose scripts arrive only when the function that it answers is called. */
async function openWithoutScripts(path: string): Promise<() => void> {
  await page.unrouteAll();
  const arrive = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  return arrive;
}

test("forms that are sent before their script has loaded are sent when it has, and boxes stay ticked", async () => {
  const [person, other] = [await newSignedIn(shared), await makeUser()];
  const id = await newKey(person, { name: "before" });
  let arrive = await openWithoutScripts(`/keys?key=${id}`);
  await submit(page, { Name: " first ", "Add a user": other.username }, "Add");
  arrive();
  await told(page, `${other.username} now holds the key.`);
  await press(page, "Save");
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect((await findKey(person, id)).name).toBe("first");

  for (const name of ["second", "third"]) await newKey(person, { name });
  arrive = await openWithoutScripts("/keys");
  for (const name of ["first", "second", "third", "third"]) await tickOf(page, name).click();
  arrive();
  await told(page, "2 selected");
  const areTicked = ["first", "second", "third"].map((name) => tickOf(page, name).isChecked());
  expect(await Promise.all(areTicked)).toEqual([true, true, false]);
  await tickOf(page, "third").check();
  await told(page, "3 selected");
  person.expectCalm();
});

test("of buttons pressed before their script has loaded, the last acts, once, and has the keyboard", async () => {
  const { expectCalm } = await newSignedIn(shared);
  const arrive = await openWithoutScripts("/account");
  await press(page, "Rotate");
  await press(page, "Reveal");
  await button(page, "Reveal").focus();
  await page.keyboard.press("Enter");
  expect(await page.locator("[data-pressed]").textContent()).toBe("Reveal");
  arrive();
  await button(page, "Hide").waitFor();
  await expect.poll(() => focused(page)).toBe("Hide");
  expect(await page.locator("[data-pressed]").count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await press(page, "Rotate");
  await page.getByRole("dialog").waitFor();
  expectCalm();
});

test("so are forms for an account", async () => {
  await shared.context.clearCookies();
  const username = newUsername();
  let arrive = await openWithoutScripts("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  arrive();
  await atAccountOf(page, username);
  shared.expectCalm();

  // What was refused is still in the fields.
  await shared.context.clearCookies();
  arrive = await openWithoutScripts("/signin");
  await submitAccount(page, "Sign in", "nobody-at-all", "wrong password");
  arrive();
  await told(page, "The username or the password is wrong.");
  expect(await page.getByLabel("Username").inputValue()).toBe("nobody-at-all");
  expect(page.url()).toBe(`${origin}/signin`);
});

describe("without JavaScript", async () => {
  const { page: plain } = await newVisitor(undefined, { javaScriptEnabled: false });

  test("forms say so, send nothing and keep the password out of the address", async () => {
    const sent: string[] = [];
    plain.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    for (const path of ["/signin", "/signup", "/link"]) {
      await plain.goto(path);
      expect((await plain.locator("noscript p").boundingBox())?.height).toBeGreaterThan(20);
      sent.length = 0;
      for (const field of await plain.locator("main input:visible").all()) await field.fill("typed");
      await plain.locator("main button[type=submit]").first().click();
      // A navigation would be under way by then.
      await plain.waitForTimeout(300);
      expect([sent, plain.url()]).toEqual([[], `${origin}${path}`]);
    }
  });

  test("the documentation has its samples in every language, and what needs a script is hidden", async () => {
    await plain.setViewportSize({ width: 375, height: 740 });
    await plain.goto("/docs");
    const areShown = async (within: string, ...parts: string[]) => {
      for (const part of parts)
        expect(await plain.locator(within).getByText(part).first().isVisible(), part).toBe(true);
    };
    await areShown("#keys-create", "curl -H", "console.log(body)", "print(json.load(response))");
    const index = plain.getByRole("navigation", { name: "Documentation" });
    expect(await index.getByRole("link", { name: "/keys/create" }).isVisible()).toBe(true);
    expect(await button(plain, "Contents").isVisible()).toBe(false);
    expect(await plain.getByRole("searchbox").isVisible()).toBe(false);
    await plain.goto("/docs/guides/command-line");
    await areShown("code", "bash link.sh", "node link-node.mjs", "python3 link.py");
  });
});

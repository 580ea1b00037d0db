import { expect, test } from "vitest";
import { tokensOf } from "@/lib/accounts/access-tokens/list";
import { newNetwork } from "@/tests/support/request";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enter, startProgram } from "./link-program";
import { button, press, pressTo, told } from "./on-page";
import { GAME, GAME_SITE, newSurfer, openSite, windowOf } from "./opener";
import { newSignedIn } from "./visitor";

// To whom a program can prove who its user is, as the link page says it before they approve.

const OTHER = "chat.example";

test("a program that names a server: the page says what that means, whatever is selected", async () => {
  const visitor = await newSignedIn();
  const { page, network } = visitor;
  const program = await startProgram(network, { name: "My Game", access: "read", audience: OTHER });
  await page.goto(program.page);
  await told(page, `It can prove to ${OTHER} that it's you.`, `My Game can then sign in to ${OTHER} as you.`);
  await page.locator("summary").filter({ hasText: "Details" }).click();
  await page.getByRole("radio", { name: "Know who you are" }).check();
  await told(page, `It can prove to ${OTHER} that it's you.`);
  expect(await page.getByRole("listitem").filter({ visible: true }).allTextContents()).toContain(
    `Prove to ${OTHER} that it's you`,
  );
  await expectGoodLooks(page);
  await pressTo(page, "Link this program", "Go back to your program");
  expect(await tokensOf(visitor.id)).toMatchObject([{ access: "identity", audiences: [OTHER] }]);
});

test("a program that names none: its own name, or with the account's token any server", async () => {
  const { page, network } = await newSignedIn();
  await page.goto((await startProgram(network, { name: "My Game" })).page);
  await told(page, "It can prove to any server that it's you.");
  await page.locator("summary").filter({ hasText: "Details" }).click();
  await page.getByRole("radio", { name: "Read keys and files" }).check();
  await told(page, "It can prove to My Game that it's you.");
  expect(await page.getByText("sign in to").count()).toBe(0);
});

test("a page that asks for another site's audience: a warning, and its name on the button", async () => {
  const person = await newSignedIn(await newSurfer());
  const page = await openSite(person, GAME);
  const opened = await windowOf(page, () =>
    page.evaluate((audience) => {
      const begin = Reflect.get(window, "begin") as (access: string, audience: string) => void;
      begin("identity", audience);
    }, OTHER),
  );
  await told(opened, `${GAME_SITE} can then sign in to ${OTHER} as you.`);
  await expectGoodLooks(opened);
  const allow = `Let ${GAME_SITE} prove to ${OTHER} that it's you`;
  await button(opened, allow).waitFor();
  await Promise.all([opened.waitForEvent("close"), press(opened, allow)]);
  await told(page, `Hello, ${person.username}`);
  expect(await tokensOf(person.id)).toMatchObject([{ name: GAME_SITE, audiences: [OTHER] }]);
});

test("a page that is linked by letters: its host, as the browser reports it", async () => {
  const { page, network } = await newSignedIn();
  await enter(page, await codeFrom(network, { Origin: "https://game.example" }));
  await told(page, "It can prove to game.example that it's you.");
  await enter(page, await codeFrom(newNetwork().id, { Origin: "null" }));
  await button(page, "Link this program").waitFor();
  expect(await page.getByText("It can prove to").filter({ visible: true }).count()).toBe(0);
});

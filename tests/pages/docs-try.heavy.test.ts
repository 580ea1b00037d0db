import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { SHOWN_BYTES } from "@/app/(pages)/docs/try/send";
import { importDocument } from "@/lib/files/import";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newPerson, type Person } from "./person";
import { newVisitor, type Visitor } from "./visitor";

/** Opens the form of a route. */
async function openForm(page: Page, path: string, anchor: string) {
  await page.goto("/docs");
  const route = page.locator(`#${anchor}`);
  await route.getByRole("button", { name: `Try it: ${path}`, exact: true }).click();
  const form = route.locator("form");
  await form.waitFor();
  return form;
}

describe("somebody without an account", () => {
  let visitor: Visitor;
  openForEach(newVisitor, (opened) => {
    visitor = opened;
  });

  test("sends a request that needs no token, and sees its headers and its body", async () => {
    const form = await openForm(visitor.page, "/link/code", "link-code");
    await form.getByText("This request changes something.").waitFor();
    await form.getByRole("button", { name: "Send the change" }).click();
    await form.getByText("200 OK").waitFor();
    await form.getByText(/in \d+ ms/).waitFor();
    await form.getByText(/"code": "[A-Z]{6}"/).waitFor();
    await form.getByText("link-expires-in").waitFor();
    visitor.expectCalm();
  });

  test("gets the service's refusal of a token that is none, and sends it in a header only", async () => {
    const form = await openForm(visitor.page, "/me", "me");
    await form.getByRole("textbox", { name: "Token" }).fill("lk_none");
    const asked = visitor.page.waitForRequest((request) => new URL(request.url()).pathname === "/me");
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText("401 Unauthorized").waitFor();
    expect((await asked).headers().authorization).toBe("Bearer lk_none");
    expect(new URL((await asked).url()).search).toBe("");
    await expectGoodLooks(visitor.page);
  });

  test("sends the secret of a link in its header, and the command says so", async () => {
    const { page } = visitor;
    const form = await openForm(page, "/link/user", "link-user");
    await form.getByRole("textbox", { name: "code" }).fill("KMTRWB");
    await form.getByRole("textbox", { name: "Link-Secret" }).fill("a-secret' \u{1F511}");
    await form.locator("pre").getByText("curl -H 'Link-Secret: a-secret' '").waitFor();
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === "/link/user");
    await form.getByRole("button", { name: "Send the change" }).click();
    await form.getByText("404 Not Found").waitFor();
    expect((await asked).headers()["link-secret"]).toBe("a-secret");
    expect(new URL((await asked).url()).search).toBe("?code=KMTRWB");
  });

  test("a change waits for its button, and the command says what is sent", async () => {
    const { page } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    const form = await openForm(page, "/keys/create", "keys-create");
    await form.getByRole("textbox", { name: "data" }).fill("it's $HOME");
    await form.getByRole("textbox", { name: "price" }).fill("1");
    await form.getByRole("textbox", { name: "price" }).press("Enter");
    await form.locator("pre").getByText("/keys/create?data=it%27s+%24HOME&price=1'").waitFor();
    expect(sent).not.toContain("/keys/create");
    await form.getByRole("button", { name: "Send the change" }).press("Enter");
    await form.getByText("missing_token").waitFor();
  });

  test("is told that the service could not be reached", async () => {
    const form = await openForm(visitor.page, "/health", "health");
    await visitor.page.route("**/health", (request) => request.abort());
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText("The service could not be reached.").waitFor();
  });

  test("an old link to a route leads to it", async () => {
    const answer = await visitor.page.request.get("/docs/try", { maxRedirects: 0, headers: { Accept: "text/html" } });
    expect([answer.status(), answer.headers().location]).toEqual([308, "/docs"]);
    await visitor.page.goto("/docs/try#/Keys/keysCreate");
    await expect.poll(() => new URL(visitor.page.url()).hash).toBe("#keys-create");
  });
});

describe("somebody who is signed in", () => {
  let person: Person;
  openForEach(newPerson, (opened) => {
    person = opened;
  });

  test("fills in the own token with a press, for every form; before, it is nowhere on the page", async () => {
    const { page, token, username } = person;
    const form = await openForm(page, "/me", "me");
    expect(await page.content()).not.toContain(token);
    await form.getByRole("button", { name: "Use my token" }).click();
    await expect.poll(() => form.getByRole("textbox", { name: "Token" }).inputValue()).toBe(token);
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText(`"username": "${username}"`).waitFor();
    expect(await form.locator("pre").first().textContent()).not.toContain(token);

    const mine = page.locator("#keys-mine");
    await mine.getByRole("button", { name: "Try it: /keys/mine", exact: true }).click();
    expect(await mine.getByRole("textbox", { name: "Token" }).inputValue()).toBe(token);
    person.expectCalm();
  });

  test("sees the first part of a large response, and the rest is not loaded", async () => {
    const { page } = person;
    const large = file(person.username, 2, "x".repeat(3_000_000));
    const document = [...values(root(person.username, [idOf(2)])), ...values(large)];
    await importDocument(person, chunks(JSON.stringify(document)));
    const form = await openForm(page, "/read-files", "read-files");
    await form.getByRole("button", { name: "Use my token" }).click();
    await expect.poll(() => form.getByRole("textbox", { name: "Token" }).inputValue()).toBe(person.token);
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText("The rest was not loaded.").waitFor();
    const body = await form.getByRole("region", { name: "Body of the response" }).textContent();
    expect(body?.length).toBeGreaterThan(0);
    expect(body?.length).toBeLessThanOrEqual(SHOWN_BYTES);
  });
});

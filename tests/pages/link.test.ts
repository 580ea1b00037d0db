import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { enter, plate, startProgram } from "./link-program";
import { heading, press, pressTo, told } from "./on-page";
import { newSignedIn, newVisitor } from "./visitor";

const window = await newVisitor();
const { page, network, expectCalm } = window;

test("a polling program gets the account's token", async () => {
  const { username, token } = await newSignedIn(window);
  const program = await startProgram(network);
  const collecting = program.token();
  await enter(page, ` ${program.code.slice(0, 3).toLowerCase()}-${program.code.slice(3)} `);
  await heading(page, `Link curl to ${username}?`);
  await told(page, "The program chose the name “curl” itself. Nobody has verified it.");
  expect(await plate(page).textContent()).toBe(program.code);
  await told(page, "from your network");
  const timeLeft = page.getByText(/^\d:\d\d$/).first();
  const before = await timeLeft.textContent();
  await expect.poll(() => timeLeft.textContent()).not.toBe(before);
  await press(page, "Link this program", "The program has collected your token.");
  expect(await collecting).toBe(token);
  expectCalm();
});

test("a program that asks for an access gets a token of its own with no more", async () => {
  const user = await newSignedIn(window);
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  const program = await startProgram(network, { name: "MyTool", access: "read" });
  await page.goto(program.page);
  await heading(page, `Link MyTool to ${user.username}?`);
  await told(page, "It can read your keys and files, and change nothing.");
  await press(page, "Link this program");
  const token = await program.token();
  await told(page, `It can now read the keys and files of ${user.username}.`);
  const send = (path: string, query = {}) => ask(path, { query: { auth: token, ...query }, network });
  expect((await send("/read-files")).status).toBe(200);
  expect((await send("/keys/create", { data: "x", price: "1" })).body?.code).toBe("token_access");
  expectCalm();
});

test("a denied program, its code entered as an address, gets nothing, and the page tells the person", async () => {
  await newSignedIn(window);
  const program = await startProgram(network);
  await enter(page, `${origin}/link?code=${program.code}`);
  await pressTo(page, "Deny", "Denied");
  expect(await program.poll()).toEqual({ linked: false, token: "" });
});

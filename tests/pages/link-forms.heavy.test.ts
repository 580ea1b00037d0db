import { request as send } from "node:http";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { ask, origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { launchBrowser } from "./person";
import { newMember, PASSWORD, signUp, type Visitor } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** What a browser would send. */
interface Post {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends it over HTTP, with other headers where some are given. */
function replay({ url, headers, body }: Post, others: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = send(url, { method: "POST", headers: { ...headers, ...others } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}

/** Somebody who is asked whether to link a program. */
async function startDeciding(): Promise<Visitor & { program: string }> {
  const visitor = await newMember(browser);
  const program = newUsername();
  const { body } = await ask("/link/code", { network: visitor.network, headers: { "User-Agent": program } });
  await visitor.page.goto(`/link?code=${body?.code}`);
  await visitor.page.getByRole("button", { name: "Link this program", exact: true }).waitFor();
  return { ...visitor, program };
}

/** Presses Link, and keeps what the browser would send from reaching the service. */
async function interceptLink(page: Page): Promise<Post> {
  const caught = new Promise<Post>((resolve) =>
    page.route(/\/link(?:\?|$)/, async (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.continue();
      const { "content-length": _, ...headers } = Object.fromEntries(
        Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(":")),
      );
      resolve({ url: request.url(), headers, body: request.postDataBuffer() ?? Buffer.alloc(0) });
      await route.abort();
    }),
  );
  await page.getByRole("button", { name: "Link this program", exact: true }).click();
  return caught;
}

const statusOf = async (program: string) => (await db.linkCode.findFirstOrThrow({ where: { program } })).status;
const cookiesOf = async ({ context }: Visitor) =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

test("a form counts from our own pages only", async () => {
  const { page, program } = await startDeciding();
  const post = await interceptLink(page);
  expect(post.headers.origin).toBe(origin);
  for (const foreign of ["https://evil.example", "null", `${origin}.evil.example`, "http://127.0.0.1:1"]) {
    expect(await replay(post, { origin: foreign })).toBeGreaterThanOrEqual(400);
    expect(await statusOf(program)).toBe("pending");
  }
  await replay(post);
  expect(await statusOf(program)).toBe("approved");
});

test("a form that was shown to one session decides nothing in another, not even one of the same browser", async () => {
  const [victim, attacker] = [await startDeciding(), await startDeciding()];
  const [theirs, own] = [await interceptLink(victim.page), await interceptLink(attacker.page)];
  await replay(own, { cookie: await cookiesOf(victim) });
  expect(await statusOf(attacker.program)).toBe("pending");
  await replay(theirs, { cookie: await cookiesOf(attacker) });
  expect(await statusOf(victim.program)).toBe("pending");

  await replay(own);
  expect(await statusOf(attacker.program)).toBe("approved");

  await victim.page.unrouteAll();
  await victim.context.clearCookies();
  await signUp(victim.page);
  await replay(theirs, { cookie: await cookiesOf(victim) });
  expect(await statusOf(victim.program)).toBe("pending");
});

test("a form without a session, or with a ticket that was tampered with, decides nothing", async () => {
  const { page, program } = await startDeciding();
  const post = await interceptLink(page);
  await replay(post, { cookie: "" });
  expect(await statusOf(program)).toBe("pending");
  const text = post.body.toString("latin1");
  const ticket = /name="[\d_]*ticket"\r\n\r\n([\w+/=-]{60,})/.exec(text)?.[1] ?? "";
  expect(ticket, text).not.toBe("");
  const changed = `${ticket.slice(0, 40)}${ticket[40] === "A" ? "B" : "A"}${ticket.slice(41)}`;
  await replay({ ...post, body: Buffer.from(text.replace(ticket, changed), "latin1") });
  expect(await statusOf(program)).toBe("pending");
  await replay(post);
  expect(await statusOf(program)).toBe("approved");
});

test(
  "nobody else's page signs a person in as somebody: the program would be linked to a stranger's " + "account",
  async () => {
    const { username, context } = await newMember(browser);
    const post = async (headers: Record<string, string>, csrfToken: string) => {
      const body = new URLSearchParams({ username, password: PASSWORD, json: "true", csrfToken });
      const answer = await fetch(`${origin}/api/auth/callback/credentials`, {
        method: "POST",
        redirect: "manual",
        headers,
        body,
      });
      return answer.headers.getSetCookie().filter((cookie) => cookie.includes("session-token="));
    };
    const { name, value = "" } = (await context.cookies()).find((one) => one.name.endsWith(".csrf-token")) ?? {};
    const [token = ""] = decodeURIComponent(value).split("|");
    expect(await post({ cookie: `${name}=${value}` }, token)).toHaveLength(1);
    expect(await post({ cookie: `${name}=${value}` }, "guessed")).toEqual([]);
    expect(await post({ origin: "https://evil.example" }, token)).toEqual([]);
    expect(await post({}, "")).toEqual([]);
  },
);

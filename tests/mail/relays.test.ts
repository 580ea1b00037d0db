import { hostname } from "node:os";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { sendMail } from "@/lib/accounts/ways-in/mail/send";
import { mail } from "@/lib/operator/doctor/mail";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { mailServerOfFile } from "./mail-server";
import { enter, lastTo, newAddress, newReader, newUser } from "./people";

const server = await mailServerOfFile();
beforeEach(async () => {
  await db.mail.deleteMany();
  server.say("accept");
  env.SMTP_URL = server.url;
});

/** Of the machine, or else of the sender: no other name in these tests has a dot. */
const nameWithDot = hostname().includes(".") ? hostname() : "keys.example";

/** What the doctor says of mail. */
async function problemsNow(): Promise<string[]> {
  const found: string[] = [];
  for await (const { problem } of mail(new Date())) found.push(problem);
  return found;
}

test.each([
  ["https://keys.example", "keys.example"],
  ["http://192.0.2.7:3000", "[192.0.2.7]"],
  ["http://[2001:db8::7]", "[IPv6:2001:db8::7]"],
  ["https://keys.example.", "keys.example"],
  ["https://keys", nameWithDot],
  ["http://localhost:3000", nameWithDot],
])("of %s greets the mail server as %s, whatever the machine is called", async (own, greeting) => {
  const { NEXTAUTH_URL } = env;
  env.NEXTAUTH_URL = own;
  onTestFinished(() => void Object.assign(env, { NEXTAUTH_URL }));
  server.greetings.length = 0;
  const [user, address] = [await newUser(), newAddress()];
  await enter(user, address);
  await lastTo(server, address);
  expect(new Set(server.greetings)).toEqual(new Set([greeting.toLowerCase()]));
});

test("a server that refuses the name of this service: the doctor says it in the server's words", async () => {
  const { NEXTAUTH_URL } = env;
  Object.assign(env, { NEXTAUTH_URL: "http://192.0.2.7" });
  onTestFinished(() => void Object.assign(env, { NEXTAUTH_URL }));
  server.say("names with a dot");
  const [user, address] = [await newUser(), newAddress()];
  await enter(user, address);
  await sendMail();
  await expect.poll(async () => (await db.mail.findFirst({ where: { userId: user.id } }))?.attempts).toBe(1);
  const said = await problemsNow();
  expect(said).toEqual([
    expect.stringContaining("(450 <[192.0.2.7]>: Helo command rejected: need fully-qualified hostname <(address)>)"),
  ]);
  expect(said.join()).not.toContain(address);
});

test.each([
  ["Keys: the best <keys@keys.example>", /^From: "?Keys: the best"? <keys@keys\.example>\r$/m],
  ["Keys (Berlin), [x]; y <keys@keys.example>", /^From: "Keys \(Berlin\), \[x\]; y" <keys@keys\.example>\r$/m],
  [String.raw`"Keys \"Prod\"" <keys@keys.example>`, /^From: "?Keys (?:\\"Prod\\"|"Prod")"? <keys@keys\.example>\r$/m],
  ["keys@keys.example", /^From: keys@keys\.example\r$/m],
])("a sender's name is a name: %s", async (from, header) => {
  const { MAIL_FROM } = env;
  env.MAIL_FROM = from;
  onTestFinished(() => void Object.assign(env, { MAIL_FROM }));
  const [user, address] = [await newUser(), newAddress()];
  await enter(user, address);
  expect((await lastTo(server, address)).raw).toMatch(header);
});

test("the doctor says whether messages can be sent", async () => {
  const problems = (url?: string) => {
    env.SMTP_URL = url;
    return problemsNow();
  };
  await db.emailAddress.deleteMany();
  const withLogin = (password: string) => server.url.replace("//", `//keys:${password}@`);
  for (const url of [undefined, server.url, withLogin("right%20horse")]) expect(await problems(url)).toEqual([]);
  const refused = await problems(withLogin("wrong-horse"));
  expect(refused).toEqual([expect.stringMatching(/^The mail server in SMTP_URL refuses the login \(535 /)]);
  expect(refused.join()).not.toContain("wrong-horse");
  expect(await problems("smtp://127.0.0.1:1")).toEqual([expect.stringMatching(/cannot be used \(ESOCKET\)/)]);
  env.SMTP_URL = server.url;
  await newReader(server);
  expect(await problems()).toEqual([expect.stringMatching(/^1 e-mail address is stored/)]);
});

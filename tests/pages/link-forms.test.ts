import { expect, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { sealTicket } from "@/lib/link/approve";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { enter } from "@/tests/link/flow";
import { actionId } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { cookiesOf, newUsername, signInByPassword } from "@/tests/support/user";
import { signedInAs } from "./confirming";
import { PASSWORD } from "./visitor";

/** Somebody who is asked whether to link a program, with the ticket that is in their page. */
async function startDeciding() {
  const session = await signedInAs("user");
  const code = String((await ask("/link/code")).body?.code);
  const linkId = await enter(session, code);
  const { id: sessionId } = await db.session.findFirstOrThrow({ where: { userId: session.id } });
  const request = { linkId, sessionId };
  const ticket = sealTicket({ id: newId(), since: Date.now(), code, isTransliterated: false, request });
  const status = async () => (await db.linkCode.findUniqueOrThrow({ where: { id: linkId } })).status;
  return { ...session, ticket, status };
}

/** Sends the page's form as its script does. */
async function send(ticket: string, Cookie: string, Origin = origin): Promise<void> {
  const form = new FormData();
  const fields = { ticket, decision: "approve", gives: "account", ends: "never" };
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value);
  form.append("0", '["$K1"]');
  const encoded = new Response(form);
  const body = await encoded.text();
  const headers = {
    "Next-Action": actionId("decide"),
    Accept: "text/x-component",
    "Content-Type": String(encoded.headers.get("content-type")),
    "Content-Length": String(Buffer.byteLength(body)),
    Origin,
    Cookie,
  };
  await ask("/link", { method: "POST", headers, body });
}

test("a form decides nothing without its session, in another one, or with a changed ticket", async () => {
  const [victim, attacker] = [await startDeciding(), await startDeciding()];
  const { ticket, cookie } = attacker;
  await send(ticket, victim.cookie);
  await send(ticket, "");
  await send(ticket, cookie, "https://evil.example");
  await send(`${ticket.slice(0, 40)}${ticket[40] === "A" ? "B" : "A"}${ticket.slice(41)}`, cookie);
  expect(await attacker.status()).toBe("pending");
  await send(ticket, cookie);
  expect(await attacker.status()).toBe("approved");

  await send(victim.ticket, cookie);
  await send(victim.ticket, await signInByPassword(origin, victim.username, PASSWORD));
  expect(await victim.status()).toBe("pending");
  // It would have been approved.
  await send(victim.ticket, victim.cookie);
  expect(await victim.status()).toBe("approved");
});

test("nobody else's page signs a person in: a program would be linked to a stranger's account", async () => {
  const username = newUsername();
  await createUser({ username, password: PASSWORD });
  const started = await ask("/api/auth/csrf");
  const cookie = cookiesOf(started);
  const token = String(started.body?.csrfToken);
  const post = async (headers: Record<string, string>, csrfToken: string) => {
    const body = new URLSearchParams({ username, password: PASSWORD, json: "true", csrfToken });
    const sent = { method: "POST", redirect: "manual", headers, body } as const;
    const answer = await fetch(`${origin}/api/auth/callback/credentials`, sent);
    return answer.headers.getSetCookie().filter((one) => one.includes("session-token="));
  };
  expect(await post({ cookie }, token)).toHaveLength(1);
  expect(await post({ cookie }, "guessed")).toEqual([]);
  expect(await post({ origin: "https://evil.example" }, token)).toEqual([]);
  expect(await post({}, "")).toEqual([]);
});

import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { callAction } from "@/tests/support/call-action";
import { origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { DONE, signedInAs } from "./action-caller";

const EVIL = "evil.example";

interface Sent {
  /** The address of the Host header. */
  origin?: string;
  /** The Origin header. */
  from?: string;
  headers?: Record<string, string>;
}

const FORGED: Sent[] = [
  { headers: { "X-Forwarded-Host": EVIL, "X-Forwarded-Proto": "https" } },
  { headers: { "X-Forwarded-Host": `${EVIL}, ${EVIL}` } },
  { headers: { Forwarded: `host=${EVIL};proto=https`, "X-Original-Host": EVIL } },
  { origin: `http://${EVIL}`, from: origin },
  { from: `http://${EVIL}` },
];

// docs/decisions/console-links.md
test("the console's links begin with the address that the admin opened, whatever headers say of another", async () => {
  const [admin, target] = [await signedInAs("admin"), await signedInAs("user")];
  const makeLinks = async (sent: Sent) => {
    const calls: [name: string, args: unknown[]][] = [
      ["linkToRecover", [target.username]],
      ["invite", [newUsername(), "user"]],
    ];
    const calling = { ...sent, cookie: admin.cookie };
    return Promise.all(
      calls.map(async ([name, args]) => (await callAction(origin, "/admin/users", name, args, calling)).text),
    );
  };
  const ours = `"link":"${origin}/`;
  for (const text of await makeLinks({})) expect(text).toContain(ours);
  expect(await db.recoveryLink.count({ where: { userId: target.id } })).toBe(1);
  for (const sent of FORGED)
    for (const text of await makeLinks(sent)) {
      expect(text, JSON.stringify(sent)).not.toContain(EVIL);
      expect(text.includes(ours), JSON.stringify(sent)).toBe(DONE.test(text));
    }
});

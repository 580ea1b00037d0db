import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { approveRequest } from "@/lib/link/decide";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { ask, at, collect, enter } from "./flow";

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const rows = await Promise.all([
    db.user.findMany(),
    db.linkCode.findMany(),
    db.linkMask.findMany(),
    db.auditEvent.findMany(),
    db.rateLimit.findMany(),
  ]);
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

it("at no step does the database hold the code or the token", async () => {
  const [network, stranger] = [newNetwork(), newNetwork()];
  const user = await makeUser();
  const { code, id } = await ask(network);
  const secrets = [
    code,
    code.toLowerCase(),
    user.token,
    user.token.slice(3),
    Buffer.from(user.token).toString("base64").slice(0, 20),
  ];
  const steps = [
    () => collect(code, stranger, at(1)),
    () => enter(user, code, at(2)),
    () => approveRequest({ id: user.id, network }, id, at(3)),
    () => collect(code, network, at(4)),
  ];
  for (const step of steps) {
    const text = await dump();
    expect(text).toContain(id);
    for (const secret of secrets) expect(text).not.toContain(secret);
    await step();
  }
  const text = await dump();
  expect(text).toContain("link.collect");
  for (const secret of secrets) expect(text).not.toContain(secret);
});

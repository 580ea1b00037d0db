// A process of its own beside the service, on the same database, as the admin command is: it does what people do on
// pages, by the functions that those pages call. Its parent sends Orders over IPC and gets one Done for each.

import { rotateToken } from "@/lib/accounts/identity/token";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { importDocument } from "@/lib/files/import";
import { decideProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { storedCodeHash } from "@/lib/link/code";
import { findRequest } from "@/lib/link/enter";
import { db } from "@/lib/platform/db/client";
import { chunks } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";

const person = (id: string, network: string) => ({ id, network: { id: network, kind: "remote" as const } });

async function firstToAsk(code: string) {
  const codeHash = await storedCodeHash(code);
  const { network, webPage } = await db.linkQuestion.findFirstOrThrow({ where: { codeHash }, orderBy: { at: "asc" } });
  return { network, webPage };
}

const verbs = {
  createUser: (username: string, password: string) => createUser({ username, password }),
  rotateToken: (userId: string) => rotateToken(userId),
  setDisabled: (username: string, disabled: boolean) => setDisabled(username, { disabled }),
  approve: async (userId: string, code: string, network: string) =>
    approveRequest(person(userId, network), await findRequest(person(userId, network), code)),
  /** Of the program that asked first, unless it is told from where. */
  allow: async (userId: string, code: string, network?: string) => {
    const program = network === undefined ? await firstToAsk(code) : { network, webPage: "" };
    const id = await findRequest(person(userId, network ?? newNetwork().id), code);
    return decideProgram(userId, id, { decision: "allow", ...program });
  },
  deny: async (userId: string, code: string, network: string) =>
    denyRequest(person(userId, network), await findRequest(person(userId, network), code)),
  importDocument: (user: { id: string; username: string }, text: string) => importDocument(user, chunks(text)),
};

export type Verbs = typeof verbs;
type Order = {
  [Name in keyof Verbs]: { id: number; verb: Name; parameters: Parameters<Verbs[Name]> };
}[keyof Verbs];
export type Done = { id: number; result: unknown } | { id: number; error: string };

process.on("message", async (order: Order) => {
  try {
    const verb = verbs[order.verb] as (...parameters: typeof order.parameters) => Promise<unknown>;
    process.send?.({ id: order.id, result: await verb(...order.parameters) } satisfies Done);
  } catch (error) {
    process.send?.({ id: order.id, error: String(error) } satisfies Done);
  }
});
process.on("disconnect", () => process.exit(0));

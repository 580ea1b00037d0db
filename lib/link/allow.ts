import { audit } from "@/lib/audit";
import { transaction } from "@/lib/db/client";
import { unusable } from "./find";

/** A program elsewhere, as the page names it in a form. */
export interface Elsewhere {
  network: string;
  /** "": no web page. */
  webPage: string;
}

/** Lets this program collect the token, and no other than the one that asked. Throws 409 `code_unusable` when nothing is left to collect. */
export async function allowProgram(userId: string, linkId: string, program: Elsewhere, now = new Date()): Promise<void> {
  await answer(userId, linkId, program, { allows: true, now });
}

/** Turns this program away, and takes back that it was allowed. Throws 409 `code_unusable` when it has collected, or nothing is left to collect. */
export async function disallowProgram(userId: string, linkId: string, program: Elsewhere, now = new Date()): Promise<void> {
  await answer(userId, linkId, program, { allows: false, now });
}

/** The request's row is changed first, whatever the answer: of two answers at once, one comes after the other as a whole. */
async function answer(userId: string, linkId: string, { network, webPage }: Elsewhere, { allows, now }: { allows: boolean; now: Date }): Promise<void> {
  const isDone = await transaction(async (tx) => {
    const open = { id: linkId, userId, status: "approved", collectBy: { gt: now } };
    const [link] = await tx.linkCode.updateManyAndReturn({
      where: open,
      data: allows ? { allowedNetwork: network, allowedWebPage: webPage } : { status: "approved" },
      select: { codeHash: true },
    });
    if (!link) return false;
    if (!allows)
      await tx.linkCode.updateMany({
        where: { ...open, allowedNetwork: network, allowedWebPage: webPage },
        data: { allowedNetwork: null, allowedWebPage: null },
      });
    await tx.linkQuestion.updateMany({ where: { codeHash: link.codeHash ?? "", network, webPage }, data: { refusedAt: allows ? null : now } });
    const detail = { network, ...(webPage !== "" && { webPage }) };
    await audit({ at: now, action: allows ? "link.allow" : "link.disallow", subjectId: linkId, actorId: userId, detail }, tx);
    return true;
  });
  if (!isDone) throw unusable();
}

import { audit } from "@/lib/audit";
import { db, sql, writeTogether } from "@/lib/db/client";
import { widerNetworks } from "@/lib/network";
import type { LinkCode, LinkQuestion } from "@/prisma/generated/sqlite/client";
import { type Asker, auditedAsker } from "./asker";

/** The latest are looked at; there are more only where somebody floods. */
const LOOKED_AT = 200;
const SHOWN = 6;
/** Of one wider network, so that who has a whole one does not hide the others. */
const SHOWN_OF_ONE = 2;

/**
 * Writes down that a program asked for a code that is not known to be its own. A miss is written down with the same statements, so
 * that its answer takes as long. `linkId` is the code's where there is a live one.
 */
export async function noteQuestion(codeHash: string, asker: Asker, linkId: string | null, now: Date): Promise<void> {
  const { network, program, webPage } = asker;
  const event = linkId === null ? { action: "link.refuse" as const, subjectId: network.id } : { action: "link.look" as const, subjectId: linkId };
  await writeTogether(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO "LinkQuestion" ("codeHash", "network", "webPage", "program", "at") VALUES (${codeHash}, ${network.id}, ${webPage ?? ""}, ${program}, ${now})
      ON CONFLICT ("codeHash", "network", "webPage") DO UPDATE SET "program" = excluded."program", "at" = excluded."at"`;
    await audit({ at: now, actorId: null, detail: auditedAsker(asker), ...event }, tx);
  });
}

/** From its first right secret on, only who has it can collect. */
export async function bindToSecret(linkId: string, now: Date): Promise<void> {
  await sql.$executeRaw`UPDATE "LinkCode" SET "boundAt" = ${now} WHERE "id" = ${linkId} AND "boundAt" IS NULL AND "status" IN ('pending', 'approved')`;
}

/** Who asked for this code and is not known to be its program: on how many other networks, and which of them to name, the likeliest first. */
export async function questionsFor(link: LinkCode): Promise<{ networks: number; likeliest: LinkQuestion[] }> {
  if (link.codeHash === null) return { networks: 0, likeliest: [] };
  const questions = await db.linkQuestion.findMany({
    where: { codeHash: link.codeHash, at: { gte: link.createdAt } },
    orderBy: { at: "desc" },
    take: LOOKED_AT,
  });
  const isSame = ({ program }: LinkQuestion) => program === link.program;
  return {
    networks: new Set(questions.map(({ network }) => network).filter((network) => network !== link.network)).size,
    likeliest: spread([...questions.filter(isSame), ...questions.filter((question) => !isSame(question))]),
  };
}

function spread(questions: LinkQuestion[]): LinkQuestion[] {
  const named = new Map<string, number>();
  const isRoomFor = ({ network }: LinkQuestion) => {
    const whole = widerNetworks(network).at(-1) ?? network;
    const count = (named.get(whole) ?? 0) + 1;
    named.set(whole, count);
    return count <= SHOWN_OF_ONE;
  };
  return questions.filter(isRoomFor).slice(0, SHOWN);
}

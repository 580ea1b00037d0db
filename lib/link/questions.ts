import { auditEvents } from "@/lib/audit";
import { db, sql } from "@/lib/db/client";
import { widerNetworks } from "@/lib/network";
import type { LinkCode, LinkQuestion } from "@/prisma/generated/sqlite/client";
import { type Asker, auditedAsker } from "./asker";
import { bind, question } from "./rows";
import { isAudited } from "./strangers";

/** Only the latest are read; more exist only during a flood. */
const LOOKED_AT = 200;
const SHOWN = 6;
/** Shown per wider network, so that the owner of a whole one does not hide the others. */
const SHOWN_OF_ONE = 2;

/**
 * Records that a program polled for a code that is not known to be its own. A miss runs the same statements, so that it
 * takes equally long; in the audit trail, as many of a network as it has room for. `linkId`: the live code's, if any.
 */
export async function noteQuestion(codeHash: string, asker: Asker, linkId: string | null, now: Date): Promise<void> {
  const { network, program, webPage } = asker;
  const event =
    linkId === null
      ? { action: "link.refuse" as const, subjectId: network.id }
      : { action: "link.look" as const, subjectId: linkId };
  const isEvent = await isAudited(network);
  await sql.batch([
    question({ codeHash, network: network.id, webPage: webPage ?? "", program, at: now }),
    ...(isEvent ? [auditEvents({ at: now, actorId: null, detail: auditedAsker(asker), ...event })] : []),
  ]);
}

/** After its first right secret, only programs with the secret can collect. */
export async function bindToSecret(linkId: string, now: Date): Promise<void> {
  await sql.batch([bind(linkId, now)]);
}

/**
 * Programs that polled for this code and are not known to be its own: on how many other networks, and which to name,
 * the likeliest first.
 */
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

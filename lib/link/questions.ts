import { auditEvents } from "@/lib/platform/audit";
import { db, sql } from "@/lib/platform/db/client";
import { widerNetworks } from "@/lib/platform/network/network";
import type { LinkCode, LinkQuestion } from "@/prisma/generated/sqlite/client";
import { isAudited } from "./limits";
import { question } from "./queries";
import { auditedRequester, type Requester } from "./requester";
import { announceChange } from "./wait";

/** Only the latest are read; more exist only during a flood. */
const MAX_READ = 200;
const MAX_NAMED = 6;
/** Shown per wider network, so that the owner of a complete one does not hide the others. */
const MAX_NAMED_OF_NETWORK = 2;

/**
 * Records that a program polled for a code that it did not prove to be its own. A miss runs the same statements, so
 * that it takes equally long; in the audit trail, as many of a network as it has space for. `linkId`: the live code's,
 * if any.
 */
export async function recordQuestion(
  requester: Requester,
  codeHash: string,
  { linkId, now }: { linkId: string | null; now: Date },
): Promise<void> {
  const { network, program, webPage } = requester;
  const event =
    linkId === null
      ? { action: "link.refuse" as const, subjectId: network.id }
      : { action: "link.look" as const, subjectId: linkId };
  const isEvent = await isAudited(network);
  await sql.batch([
    question({ codeHash, network: network.id, webPage: webPage ?? "", program, at: now }),
    ...(isEvent ? [auditEvents({ at: now, actorId: null, detail: auditedRequester(requester), ...event })] : []),
  ]);
  // The approver's page asks about it.
  if (linkId !== null) announceChange(linkId);
}

/**
 * Programs that polled for this code and did not prove to be its own: on how many other networks, and which to name,
 * the likeliest first.
 */
export async function questionsFor(link: LinkCode): Promise<{ networks: number; likeliest: LinkQuestion[] }> {
  if (link.codeHash === null) return { networks: 0, likeliest: [] };
  const questions = await db.linkQuestion.findMany({
    where: { codeHash: link.codeHash, at: { gte: link.createdAt } },
    orderBy: { at: "desc" },
    take: MAX_READ,
  });
  const isSame = ({ program }: LinkQuestion) => program === link.program;
  return {
    networks: new Set(questions.map(({ network }) => network).filter((network) => network !== link.network)).size,
    likeliest: spread([...questions.filter(isSame), ...questions.filter((question) => !isSame(question))]),
  };
}

function spread(questions: LinkQuestion[]): LinkQuestion[] {
  const named = new Map<string, number>();
  const isNamed = ({ network }: LinkQuestion) => {
    const widest = widerNetworks(network).at(-1) ?? network;
    const count = (named.get(widest) ?? 0) + 1;
    named.set(widest, count);
    return count <= MAX_NAMED_OF_NETWORK;
  };
  return questions.filter(isNamed).slice(0, MAX_NAMED);
}

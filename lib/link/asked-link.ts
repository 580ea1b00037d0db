import { sql } from "@/lib/db/client";
import { type Approver, type AskedLink, hasLink, linkByCode } from "./rows";

/** The link with this code and its approver. Always takes equally long: one statement, whatever it finds. */
export async function findAsked(codeHash: string): Promise<{ link?: AskedLink; user?: Approver }> {
  const [link] = await sql.readQuickly(linkByCode(codeHash));
  if (!link || !hasLink(link)) return {};
  const { userId, tokenHash, tokenSealed } = link;
  const isApproved = userId !== null && tokenHash !== null && tokenSealed !== null;
  return { link, user: isApproved ? { id: userId, tokenHash, tokenSealed } : undefined };
}

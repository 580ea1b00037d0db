import { integer, rowShape } from "@/lib/db/statement";

const storing = rowShape(
  { u: "User" },
  {
    id: "u.id",
    hasFiles: integer(`CASE WHEN EXISTS (SELECT 1 FROM "FilePiece" p WHERE p."userId" = u."id") THEN 1 ELSE 0 END`),
  },
);
/** Users between two ids who have a key of theirs or something to be sealed with one, and whether they have files. */
export const usersStoring = (after: string, to: string) => storing.from`
  "User" u WHERE u."id" > ${after} AND u."id" <= ${to} AND (
    EXISTS (SELECT 1 FROM "UserKey" n WHERE n."userId" = u."id")
    OR EXISTS (SELECT 1 FROM "Key" k WHERE k."creatorId" = u."id")
    OR EXISTS (SELECT 1 FROM "FilePiece" p WHERE p."userId" = u."id"))
  ORDER BY u."id"`;

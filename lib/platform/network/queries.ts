import { FORMAT_NUMBER } from "../db/ready";
import { integer, integerOrNull, rowShape } from "../db/statement";

const version = rowShape(
  {},
  {
    count: integer("count(*)"),
    ids: integerOrNull('CAST(sum(b."id") AS BIGINT)'),
    format: integerOrNull(FORMAT_NUMBER),
  },
);
/** Differs once any block was added, replaced or removed: ids only grow. With the format of what is stored. */
export const listVersion = () => version.from`"BlockedNetwork" b`;

const inForce = rowShape({ b: "BlockedNetwork" }, { network: "b.network", until: "b.until" });
/** All blocks that have not ended. */
export const blocksInForce = (now: Date) => inForce.from`
  "BlockedNetwork" b WHERE b."until" IS NULL OR b."until" > ${now}`;

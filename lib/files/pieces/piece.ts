import { combineCrc } from "./crc";
import { combinable } from "./masked-crc";

/**
 * The gap between the positions of new pieces: room for others in between, and for 2^43 pieces in a row, more than a
 * document ever gets.
 */
export const POSITIONS_APART = 2n ** 20n;

/** A stored piece without its text. */
export interface PieceFacts {
  id: string;
  position: bigint;
  entries: number;
  plainLength: number;
  deflatedLength: number;
  /** As stored: masked. */
  crc: bigint;
}

/** The columns of `PieceFacts`. */
export const PIECE_FACTS = {
  id: true,
  position: true,
  entries: true,
  plainLength: true,
  deflatedLength: true,
  crc: true,
} as const;

/** Where an entry's text begins. */
export interface EntryPlace {
  pieceId: string;
  start: number;
}

/** The totals of a version, without the end of its text. */
export interface Totals {
  entries: number;
  /** Bytes of the pieces. */
  plainLength: number;
  deflatedLength: number;
  /** Of the stored CRCs. */
  crc: number;
}

/** The totals of these pieces, in this order. */
export function totalsOf(pieces: Iterable<PieceFacts>): Totals {
  const totals = { entries: 0, plainLength: 0, deflatedLength: 0, crc: 0 };
  for (const { entries, plainLength, deflatedLength, crc } of pieces) {
    totals.entries += entries;
    totals.plainLength += plainLength;
    totals.deflatedLength += deflatedLength;
    totals.crc = combineCrc(totals.crc, combinable(crc), plainLength);
  }
  return totals;
}

import { randomBytes } from "node:crypto";

/** At the end of a piece's content, and so sealed with it. */
const MASK_BYTES = 4;
/** Added to a masked CRC. Pieces from before there were masks have a lower one, and no mask. */
const MASKED = 2n ** 32n;

/**
 * The stored forms of a piece's CRC-32 and of its deflated text. In the clear, the CRC would confirm a guess of the
 * text: so it is stored XOR a random mask. CRCs being linear, masked ones are combined as others are, and tell whether
 * a piece is missing or out of order without opening one. A CRC that is only sealed would tell that after all are sent:
 * a document with two pieces exchanged would arrive in the wrong order (contract, section 3: 500). A mask costs 47 µs
 * of the 9 ms that a piece takes to deflate.
 */
export function withMask(crc: number, deflated: Uint8Array): { crc: bigint; content: Buffer } {
  const mask = randomBytes(MASK_BYTES);
  return { crc: MASKED + BigInt((crc ^ mask.readUInt32LE()) >>> 0), content: Buffer.concat([deflated, mask]) };
}

/** The CRC-32 and the deflated text of a piece, from its opened content. Undefined if that is another's. */
export function withoutMask(
  { crc, deflatedLength }: { crc: bigint; deflatedLength: number },
  content: Uint8Array,
): { crc: number; deflated: Uint8Array } | undefined {
  const maskBytes = crc < MASKED ? 0 : MASK_BYTES;
  if (crc < 0n || crc >= 2n * MASKED || content.length !== deflatedLength + maskBytes) return undefined;
  const [deflated, mask] = [content.subarray(0, deflatedLength), content.subarray(deflatedLength)];
  return { crc: maskBytes ? (combinable(crc) ^ Buffer.from(mask).readUInt32LE()) >>> 0 : Number(crc), deflated };
}

/** What is combined of a stored CRC, for the stored CRC of a version. */
export const combinable = (stored: bigint): number => Number(BigInt.asUintN(32, stored));

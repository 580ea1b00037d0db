import { DataEnd, entrySpans } from "../document/entry-scanner";
import { COMMA, QUOTE } from "../document/json-string";
import { type ListedPiece, listings, type OpenVersion, textOfPiece, textsOfPieces } from "./read";

/** The content of a file of several pieces. */
interface StoredFile {
  /** Position of its first piece, and of the first piece after it. */
  position: bigint;
  before: bigint | undefined;
  /** Where it begins in its first piece. */
  start: number;
  /** Bytes of its content, and how that is stored. */
  size: number;
  isBase64: boolean;
}

/** The bytes `first` to `last` of a content, both inclusive. */
type Range = (first: number, last: number) => AsyncGenerator<Uint8Array>;

const DIGITS = 4;
const BYTES = 3;

/**
 * Reads ranges of a content without what precedes them. Undefined if that cannot be: an escape of JSON takes more bytes
 * than it stands for. Whether there are any shows in the lengths. Reads the first and the last piece.
 */
export async function contentRange(
  version: OpenVersion,
  { position, before, start, size, isBase64 }: StoredFile,
): Promise<Range | undefined> {
  const pieces: ListedPiece[] = [];
  for await (const listed of listings(version, position - 1n, before)) pieces.push(...listed);
  const [piece] = pieces;
  if (!piece || pieces.length === 1) return undefined;
  const begin = await textOfPiece(version, piece);
  const { data } = entrySpans(begin, start);
  const isString = begin[data.from] === QUOTE;
  const quote = isString ? 1 : 0;
  const from = isBase64 ? begin.indexOf(COMMA, data.from) + 1 : data.from + quote;
  const to = (await endOf(version, pieces)) - quote;
  const stored = isBase64 ? Math.ceil(size / BYTES) * DIGITS : size;
  if ((isBase64 && !isString) || from === 0 || to - from !== stored) return undefined;
  return (first, last) =>
    isBase64
      ? decoded(version, pieces, { from, first, last })
      : between(version, pieces, [from + first, from + last + 1]);
}

/** Where the data of an entry ends in the text of its pieces; negative if that is in the first one. */
async function endOf(version: OpenVersion, pieces: readonly ListedPiece[]): Promise<number> {
  const behindData = new DataEnd();
  for (const piece of pieces.slice(1).reverse()) {
    const at = behindData.before(await textOfPiece(version, piece));
    if (at !== undefined) return piece.offset + at;
  }
  return -1;
}

/** The bytes `from` to `to`, which is exclusive, of the text of these pieces. */
async function* between(
  version: OpenVersion,
  pieces: readonly ListedPiece[],
  [from, to]: readonly [number, number],
): AsyncGenerator<Buffer> {
  const sought = pieces.filter(({ offset, plainLength }) => offset < to && offset + plainLength > from);
  let n = 0;
  for await (const text of textsOfPieces(version, sought)) {
    const offset = sought[n++]?.offset ?? 0;
    yield text.subarray(Math.max(0, from - offset), to - offset);
  }
}

async function* decoded(
  version: OpenVersion,
  pieces: readonly ListedPiece[],
  { from, first, last }: { from: number; first: number; last: number },
): AsyncGenerator<Buffer> {
  const group = (byte: number) => Math.floor(byte / BYTES);
  let skipped = first % BYTES;
  let left = last - first + 1;
  let digits = "";
  for await (const text of between(version, pieces, [
    from + group(first) * DIGITS,
    from + (group(last) + 1) * DIGITS,
  ])) {
    digits += text.toString("latin1");
    const complete = digits.length - (digits.length % DIGITS);
    const bytes = Buffer.from(digits.slice(0, complete), "base64");
    digits = digits.slice(complete);
    const part = bytes.subarray(skipped, skipped + left);
    skipped = Math.max(0, skipped - bytes.length);
    left -= part.length;
    if (part.length > 0) yield part;
  }
}

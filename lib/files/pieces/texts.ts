import { inflatePiece } from "./gzip";
import { listings, type OpenVersion, type StoredPiece, type TakenPiece, takePieces } from "./take";

/** Pieces inflated at a time: they stay in memory while a client is slow. */
const INFLATED_AT_ONCE = 4;

/** `offset`: where it begins in the document's text. */
export interface PieceText {
  id: string;
  offset: number;
  text: Buffer;
}

/** The texts of these pieces of a version, in order. */
export async function* textsOfPieces(version: OpenVersion, pieces: readonly StoredPiece[]): AsyncGenerator<Buffer> {
  const placed = pieces.map((piece) => ({ ...piece, offset: 0 }));
  for await (const { text } of textsOf(takePieces(version, placed))) yield text;
}

/** The texts of the pieces from one position in a version to another, which is exclusive. */
export async function* textsBetween(version: OpenVersion, from: bigint, before?: bigint): AsyncGenerator<Buffer> {
  for await (const listed of listings(version, from - 1n, before)) yield* textsOfPieces(version, listed);
}

/** The texts of pieces, in order. The next ones are inflated while one is sent: without that, 16 % fewer a second. */
export async function* textsOf(taken: AsyncIterable<TakenPiece[]>): AsyncGenerator<PieceText> {
  const ahead: Promise<PieceText>[] = [];
  for await (const pieces of taken)
    for (const piece of pieces) {
      const inflating = textOf(piece);
      // The consumer below gets its error. This is for promises that nobody awaits because the reader has left.
      inflating.catch(() => {});
      if (ahead.push(inflating) === INFLATED_AT_ONCE) yield ahead.shift() as Promise<PieceText>;
    }
  for (const text of ahead) yield text;
}

async function textOf(piece: TakenPiece): Promise<PieceText> {
  return { id: piece.id, offset: piece.offset, text: await inflatePiece(piece) };
}

import { inflatePiece } from "./gzip";
import { listings, type OpenVersion, type StoredPiece, type TakenPiece, takePieces } from "./stored-pieces";

/** How many pieces are inflated at once: they wait in memory for as long as a client is slow. */
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

/** The texts of the pieces from one place in a version up to another, that one not included. */
export async function* textsBetween(version: OpenVersion, from: bigint, before?: bigint): AsyncGenerator<Buffer> {
  for await (const listed of listings(version, from - 1n, before)) yield* textsOfPieces(version, listed);
}

/** The texts of pieces, in order. The next ones are inflated while one is sent. */
export async function* textsOf(taken: AsyncIterable<TakenPiece[]>): AsyncGenerator<PieceText> {
  const ahead: Promise<PieceText>[] = [];
  for await (const pieces of taken)
    for (const piece of pieces) {
      const inflating = textOf(piece);
      // Whoever takes it below is thrown its error. This is for those that nobody takes, because the reader has left.
      inflating.catch(() => {});
      if (ahead.push(inflating) === INFLATED_AT_ONCE) yield ahead.shift() as Promise<PieceText>;
    }
  for (const text of ahead) yield text;
}

async function textOf(piece: TakenPiece): Promise<PieceText> {
  return { id: piece.id, offset: piece.offset, text: await inflatePiece(piece) };
}

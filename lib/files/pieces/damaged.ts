/** Thrown where a piece is missing or damaged: 500 `data_damaged`. `pieceId`: which one, where it is known. */
export class Damaged extends Error {
  override name = "Damaged";

  constructor(pieceId?: string, cause?: unknown) {
    super(`${pieceId === undefined ? "A piece" : `The piece ${pieceId}`} of a document is missing or damaged.`, {
      cause,
    });
  }
}

import { sql } from "@/lib/db/client";
import { combineCrc } from "./crc";
import { Damaged } from "./damaged";
import { END, withEnd } from "./gzip";
import { combinable } from "./masked-crc";
import { newestVersion } from "./rows";
import { LISTED_AT_ONCE, listings, type OpenVersion, type TakenPiece, takePieces } from "./take";
import { type PieceText, textsOf } from "./texts";

/** A version with the facts that its readers need before the first byte. */
export interface StoredDocument extends OpenVersion {
  publishedAt: Date;
  entries: number;
  /** Bytes of the JSON text and of its gzip form. */
  plainLength: number;
  gzipLength: number;
  /** Combined from the stored CRCs of its pieces. */
  crc: number;
  /** Identifies this version, without quotes. */
  etag: string;
}

/** The published version of the document; undefined if nothing was stored yet. */
export async function publishedVersion(userId: string): Promise<StoredDocument | undefined> {
  const [published] = await sql.readQuickly(newestVersion(userId));
  return published && { ...published, userId, openedAt: performance.now() };
}

/** The texts of the pieces that contain the document's bytes `first` to `last`, in order, and where each begins. */
export function pieceTexts(
  document: StoredDocument,
  first = 0,
  last = document.plainLength - 1,
): AsyncGenerator<PieceText> {
  return textsOf(takenPieces(document, first, last));
}

/**
 * The pieces that contain the bytes `first` to `last` of the text, in order, in small batches. No statement stays open
 * between two of them.
 */
export async function* takenPieces(
  document: StoredDocument,
  first: number,
  last: number,
): AsyncGenerator<TakenPiece[]> {
  let [end, crc] = [0, 0];
  for await (const listed of listings(document)) {
    for (const piece of listed) {
      end = piece.offset + piece.plainLength;
      crc = combineCrc(crc, combinable(piece.crc), piece.plainLength);
    }
    // The pieces may each be whole, and yet be too few, too many or in another order.
    if (listed.length < LISTED_AT_ONCE && (end + END.length !== document.plainLength || withEnd(crc) !== document.crc))
      throw new Damaged();
    yield* takePieces(
      document,
      listed.filter(({ offset, plainLength }) => offset <= last && offset + plainLength > first),
    );
    if (end > last) return;
  }
}

import { openDocument, plainText } from "./read-document";

/** Everything the user has stored, as the JSON text that `importDocument` takes. Throws 404 `no_files`. */
export async function exportDocument(userId: string): Promise<AsyncIterable<Uint8Array>> {
  return plainText(await openDocument(userId));
}

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { ALICE } from "@/lib/api/example-values";
import { gzipText, isSettled, openDocument, plainText } from "@/lib/files/read";
import { selection } from "@/lib/files/schema";
import { openSelection } from "@/lib/files/select";
import { accepts } from "@/lib/platform/http/headers";
import { representationResponse } from "@/lib/platform/http/representation";
import { isBehindServer } from "@/lib/platform/network/network";

const TIME = 1_790_000_000_000;
const ROOT = "ffffffffffffffffffffffffffffffff";
const HELLO = "0123456789abcdef0123456789abcdef";

/** Alice's document: her folder and one file in it. */
const aliceFiles = [
  ...[".folder", ALICE, "origin/(c) users", [HELLO], "", 0, 0, 0, TIME, TIME, "", 1, [ALICE], ROOT],
  ...[".txt", "hello", `origin/(c) users/${ALICE}`, "Hello, world", "", 0, 0, 0, TIME, TIME, "", 12, [ALICE], HELLO],
];

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/read-files",
  summary: "Returns everything that the user has stored, or a part of it.",
  access: "read",
  caller: "token",
  needs: "read",
  parameters: selection,
  response: z
    .array(z.unknown())
    .describe("14 values for each file and folder in one flat array, parents before children"),
  example: { response: aliceFiles },
  otherResponses: {
    206: "The part of the document that Range asked for.",
    304: "The document has not changed since the version that If-None-Match names.",
  },
  responseHeaders: {
    ETag: "Identifies this version of the document or part, in this form (gzip or plain).",
    "Accept-Ranges": "bytes, for the plain form, but not with only=index.",
  },
  hasRanges: true,
  errors: ["no_files", "no_such_entry", "range_not_satisfiable"],
  async respond({ caller, headers, parameters, signal }) {
    const common = {
      "Content-Type": "application/json",
      "Cache-Control": "private, no-cache",
      Vary: "Accept-Encoding",
    };
    if (Object.values(parameters).some((value) => value !== undefined)) {
      const { etag, length, bytes, isSettled } = await openSelection(caller, parameters, signal());
      const ranges = length !== undefined;
      return representationResponse(headers, { etag: `"${etag}"`, length, headers: common, bytes, ranges, isSettled });
    }
    const document = await openDocument(caller.id);
    // Next drops Content-Encoding, so only our own server sends gzip; and ranges apply only to the plain form.
    if (isBehindServer() && accepts("gzip", headers.get("accept-encoding")) && !headers.has("range")) {
      const bytes = () => gzipText(document);
      return representationResponse(headers, {
        etag: `"${document.etag}-gzip"`,
        length: document.gzipLength,
        headers: { ...common, "Content-Encoding": "gzip" },
        bytes,
        ranges: false,
        isSettled: false,
      });
    }
    const bytes = (first?: number, last?: number) => plainText(document, first, last);
    return representationResponse(headers, {
      etag: `"${document.etag}"`,
      length: document.plainLength,
      headers: common,
      bytes,
      ranges: true,
      isSettled: await isSettled(document),
    });
  },
});

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { gzipText, openDocument, plainText } from "@/lib/files/read";
import { accepts } from "@/lib/platform/http/headers";
import { representationResponse } from "@/lib/platform/http/response";
import { isBehindServer } from "@/lib/platform/network/network";
import { aliceFiles } from "./example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/read-files",
  summary: "Returns everything that the user has stored.",
  access: "read",
  caller: "token",
  needs: "read",
  isForProgramsOnly: true,
  parameters: z.object({}),
  response: z
    .array(z.unknown())
    .describe("14 values for each file and folder in one flat array, parents before children"),
  example: { response: aliceFiles },
  otherResponses: {
    206: "The part of the document that Range asked for.",
    304: "The document has not changed since the version that If-None-Match names.",
  },
  responseHeaders: {
    ETag: "Identifies this version of the document, in this form (gzip or plain).",
    "Accept-Ranges": "bytes, for the plain form.",
  },
  errors: ["no_files", "range_not_satisfiable"],
  async respond({ caller, headers }) {
    const document = await openDocument(caller.id);
    const common = {
      "Content-Type": "application/json",
      "Cache-Control": "private, no-cache",
      Vary: "Accept-Encoding",
    };
    // Next drops Content-Encoding, so only our own server sends gzip; and ranges apply only to the plain form.
    if (isBehindServer() && accepts("gzip", headers.get("accept-encoding")) && !headers.has("range")) {
      const bytes = () => gzipText(document);
      return representationResponse(headers, {
        etag: `"${document.etag}-gzip"`,
        length: document.gzipLength,
        headers: { ...common, "Content-Encoding": "gzip" },
        bytes,
        ranges: false,
      });
    }
    const bytes = (first: number, last: number) => plainText(document, first, last);
    return representationResponse(headers, {
      etag: `"${document.etag}"`,
      length: document.plainLength,
      headers: common,
      bytes,
      ranges: true,
    });
  },
});

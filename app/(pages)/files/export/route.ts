import { create as contentDisposition } from "content-disposition";
import { requireRecentProof } from "@/lib/accounts/session/proof";
import { isSettled, openDocument, plainText } from "@/lib/files/read";
import { representationResponse } from "@/lib/platform/http/representation";
import { fromOurPage } from "../request";

/** Everything that the user has stored, as the document that can be imported. The page requires a proof before. */
export const GET = fromOurPage(async ({ user, request }) => {
  await requireRecentProof(user);
  const document = await openDocument(user.id);
  return representationResponse(request.headers, {
    etag: `"${document.etag}"`,
    length: document.plainLength,
    ranges: true,
    isSettled: await isSettled(document),
    bytes: (first, last) => plainText(document, first, last),
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": contentDisposition(`${user.username}-files.json`),
    },
  });
});

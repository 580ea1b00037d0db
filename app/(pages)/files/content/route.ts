import { create as contentDisposition } from "content-disposition";
import { readFile } from "@/lib/files/read";
import { representationResponse } from "@/lib/platform/http/representation";
import { clientSignal } from "@/lib/platform/request";
import { isEncoding } from "../../file-text";
import { requireProofIfElsewhere } from "../../visitor";
import { fromOurPage } from "../request";

/**
 * Media types that a browser may show directly. Text is shown as plain text, whatever markup it contains; anything else
 * can only be saved.
 */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

/** A stored file may not load anything. */
const BARE = "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/** Nor run anything, and it has no origin, even in its own window. (An SVG is a document there, with scripts.) */
const SANDBOXED = `sandbox; ${BARE}`;
/** The browser's own player is shown in its window, which without our origin requests parts without the cookie. */
const PLAYED = /^(?:audio|video)\//;

/** Says what it wants, or is a browser, or the part of one that plays: no program that puts parts together. */
function isPlayer(headers: Headers): boolean {
  const destination = headers.get("sec-fetch-dest");
  return destination
    ? /^(?:audio|video)$/.test(destination)
    : /^(?:Mozilla|AppleCoreMedia)\//.test(headers.get("user-agent") ?? "");
}

/** A file's content, or a range of it: to view, as text in `encoding`, or with `save` to download. */
export const GET = fromOurPage(async ({ user, query, request }) => {
  await requireProofIfElsewhere(user);
  const { name, contentType, length, etag, bytes, isSettled } = await readFile(
    user.id,
    query.get("id") ?? "",
    clientSignal(),
  );
  const [type = ""] = /\.svg$/i.test(name) ? ["image/svg+xml"] : contentType.toLowerCase().split(";");
  const isText = type.startsWith("text/") || type === "application/json";
  const encoding = query.get("encoding") ?? "";
  const isShown = isText || SHOWN.test(type);
  const isPlayed = isShown && PLAYED.test(type);
  const disposition = query.has("save") || !isShown ? "attachment" : "inline";
  return representationResponse(request.headers, {
    etag: `"${etag}"`,
    length,
    ranges: true,
    // Players ask for parts without a tag, from the first second on, and play: nothing is put together from these.
    isSettled: isSettled || (isPlayed && disposition === "inline" && isPlayer(request.headers)),
    bytes,
    headers: {
      "Content-Type": isText
        ? `text/plain; charset=${isEncoding(encoding) ? encoding : "utf-8"}`
        : isShown
          ? type
          : "application/octet-stream",
      // The package (2.0.1 is the last for Node.js 20) throws for half a surrogate.
      "Content-Disposition": contentDisposition(name.toWellFormed(), { type: disposition }),
      "Content-Security-Policy": isPlayed ? BARE : SANDBOXED,
    },
  });
});

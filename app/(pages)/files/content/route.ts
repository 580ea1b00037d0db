import { readEntry } from "@/lib/files/read-entry";
import { streamOf } from "@/lib/http/stream";
import { fromOurPage } from "../from-our-page";

/** What a browser may show by itself. Text is shown as such, whatever markup it holds; what is neither is only saved. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

/**
 * Nothing in a stored file runs, or asks for anything, and it is of no origin: also not where it is opened in a window of its
 * own. (An SVG is a document there, with scripts.)
 */
const POLICY = "sandbox; default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** A file's content: to look at, or with `save` to keep. */
export const GET = fromOurPage(async ({ user, query }) => {
  const { name, contentType, bytes } = await readEntry(user.id, query.get("id") ?? "");
  const [type = ""] = /\.svg$/i.test(name) ? ["image/svg+xml"] : contentType.toLowerCase().split(";");
  const isText = type.startsWith("text/") || type === "application/json";
  const isShown = isText || SHOWN.test(type);
  const asked = query.has("save") || !isShown ? "attachment" : "inline";
  return new Response(streamOf(bytes), {
    headers: {
      "Content-Type": isText ? "text/plain; charset=utf-8" : isShown ? type : "application/octet-stream",
      "Content-Disposition": `${asked}; filename*=UTF-8''${encoded(name)}`,
      "Content-Security-Policy": POLICY,
    },
  });
});

/** As RFC 8187, section 3.2.1 wants it. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

import type { ApiError } from "../errors";
import type { Answer } from "./response";

/** Headers of every response to a browser: pages, assets, redirects, refusals. */
export const POLICY_HEADERS = {
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** For responses that are not pages of Next: nothing may run or load. */
export const BARE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** One year: a browser that came over HTTPS once never uses plain HTTP again. */
export const STRICT_TRANSPORT = "max-age=31536000";

/** An error as a page without Next: a heading, and its sentence. `reload`: in seconds, by itself. */
export const plainPage = (
  { status, headers, message }: Pick<ApiError, "status" | "headers" | "message">,
  title: string,
  reload?: number,
): Answer => ({
  status,
  headers: {
    ...POLICY_HEADERS,
    "Content-Security-Policy": BARE_POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    ...headers,
  },
  body: markup(title, message, reload),
});

function markup(title: string, text: string, reload: number | undefined): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${reload === undefined ? "" : `<meta http-equiv="refresh" content="${reload}">\n`}\
<title>${escaped(title)} · Latchkey</title>
<style>
:root { --ground: #f3f6f4; --ink: #12211c; --soft: #485a53; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1412; --ink: #e5ece8; --soft: #a1b2aa; } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; }
main { max-width: 26rem; padding: 1.5rem; }
h1 { margin: 1rem 0 .5rem; font-size: 1.75rem; line-height: 1.15; letter-spacing: -.015em; }
p { margin: 0; color: var(--soft); }
</style>
<main>
<svg width="48" height="48" viewBox="0 0 32 32" fill="none" aria-hidden="true"><rect width="32" height="32" rx="8" \
fill="#174f3f"/><path d="M12.5 13.5V26h8v-4.5M12.5 20h4m-4-6.5a4 4 0 1 1 .01 0" stroke="#ecc468" stroke-width="3" \
stroke-linecap="round" stroke-linejoin="round"/></svg>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

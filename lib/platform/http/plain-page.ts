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

/** A page built without Next: a heading and a sentence. `retryAfter`: seconds after which it reloads by itself. */
export function plainMarkup(title: string, text: string, retryAfter?: number): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${retryAfter === undefined ? "" : `<meta http-equiv="refresh" content="${retryAfter}">\n`}\
<title>${escaped(title)} · Latchkey</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-content: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 26rem; padding: 1.5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.2; }
p { margin: 0; }
</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

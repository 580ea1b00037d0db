/** What every answer to a browser says, whatever it is: pages, assets, redirects, refusals. */
export const POLICY_HEADERS = {
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Of what is no page of Next's: it runs nothing and loads nothing. */
export const BARE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A year: who came over HTTPS once is never sent over plain HTTP again. */
export const STRICT_TRANSPORT = "max-age=31536000";

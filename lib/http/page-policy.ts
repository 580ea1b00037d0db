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

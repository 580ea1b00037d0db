import { type Answer, ask } from "@/tests/support/http";

/** What a program in a browser of another origin may read of an answer (contract, section 1: CORS). */
export const EXPOSED = [
  "ETag",
  "Retry-After",
  "Link",
  "Link-Expires-In",
  "Link-Interval",
  "Link-Secret",
  "Preference-Applied",
  "X-Request-Id",
];

/** Asks what a browser asks first, for a program that wants to send these headers. */
export function preflight(path: string, headers: string): Promise<Answer> {
  return ask(path, {
    method: "OPTIONS",
    headers: {
      Origin: "https://a.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": headers,
    },
  });
}

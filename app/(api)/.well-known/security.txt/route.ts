import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { TIME } from "@/lib/api/example-values";
import { env } from "@/lib/platform/env";
import { notFound } from "@/lib/platform/errors";
import { DAY_MS, later, startOfDay } from "@/lib/platform/time";

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/.well-known/security.txt",
  summary: "Says where to report a vulnerability of this installation (RFC 9116), where CONTACT is set.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.string(),
  mediaType: "text/plain",
  example: { response: securityText("mailto:help@example.org", "", new Date(TIME)) },
  errors: ["not_found"],
  async respond({ origin }) {
    const contact = contactAddress();
    if (contact === undefined) throw notFound();
    return new Response(securityText(contact, origin, new Date()), {
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  },
});

/** The operator's contact as a URI; undefined if there is none, or one without TLS, which the RFC forbids. */
function contactAddress(): string | undefined {
  const { CONTACT } = env;
  if (CONTACT === undefined) return undefined;
  const { protocol, href } = new URL(URL.canParse(CONTACT) ? CONTACT : `mailto:${CONTACT}`);
  return protocol === "http:" ? undefined : href;
}

function securityText(contact: string, origin: string, now: Date): string {
  const fields = [
    `Contact: ${contact}`,
    `Expires: ${later(startOfDay(now), VALID_DAYS * DAY_MS).toISOString()}`,
    "Preferred-Languages: en",
    ...(origin.startsWith("https:") ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
  ];
  return `${fields.join("\n")}\n`;
}

import { gzipSync } from "node:zlib";
import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { openApiDocument } from "@/lib/api/openapi";
import { accepts } from "@/lib/platform/http/headers";
import { preparedJson } from "@/lib/platform/http/response";
import { isBehindServer } from "@/lib/platform/network/network";
import manifest from "@/package.json";
import { routes } from "../routes";

const route = endpoint({
  path: "/openapi.json",
  summary: "Describes this API (OpenAPI 3.1).",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.looseObject({ openapi: z.literal("3.1.0") }),
  example: { response: { openapi: "3.1.0" } },
  respond: async ({ origin, headers }) => {
    const { plain, gzip } = formsFor(origin);
    // Next would lose the header that names the coding.
    const isGzip = gzip !== undefined && isBehindServer() && accepts("gzip", headers.get("accept-encoding"));
    return preparedJson(isGzip ? gzip : plain, isGzip);
  },
});

/** What precedes the origin in the document, and what follows it. */
let around: string[] | undefined;

/** Without NEXTAUTH_URL, clients choose the origins. Further ones get the plain form, written for each request. */
const MAX_ORIGINS = 8;
const byOrigin = new Map<string, { plain: Buffer; gzip?: Buffer }>();

function formsFor(origin: string): { plain: Buffer; gzip?: Buffer } {
  const cached = byOrigin.get(origin);
  if (cached) return cached;
  const document = () => openApiDocument({ ...routes, "/openapi.json": route }, "{origin}", manifest.version);
  around ??= JSON.stringify(document()).split(JSON.stringify("{origin}"));
  const plain = Buffer.from(around.join(JSON.stringify(origin)));
  if (byOrigin.size >= MAX_ORIGINS) return { plain };
  const forms = { plain, gzip: gzipSync(plain) };
  byOrigin.set(origin, forms);
  return forms;
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route;

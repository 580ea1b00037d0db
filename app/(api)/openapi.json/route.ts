import { gzipSync } from "node:zlib";
import { z } from "zod";
import { accepts } from "@/lib/http/accept-encoding";
import { preparedJson } from "@/lib/http/answer";
import { endpoint } from "@/lib/http/endpoint";
import { openApiDocument } from "@/lib/http/openapi";
import manifest from "@/package.json";
import { routes } from "../routes";

const route = endpoint({
  path: "/openapi.json",
  summary: "Describes this API (OpenAPI 3.1).",
  access: "read",
  caller: "nobody",
  isForProgramsOnly: true,
  parameters: z.object({}),
  response: z.looseObject({ openapi: z.literal("3.1.0") }),
  example: { answer: { openapi: "3.1.0" } },
  answer: async ({ origin, headers }) => {
    const gzip = accepts("gzip", headers.get("accept-encoding")) ? compressed(origin) : undefined;
    return preparedJson(gzip ?? written(origin), gzip !== undefined);
  },
});

/** What precedes the origin in the document, and what follows it. */
let around: string[] | undefined;

function written(origin: string): Buffer {
  const document = () => openApiDocument({ ...routes, "/openapi.json": route }, "{origin}", manifest.version);
  around ??= JSON.stringify(document()).split(JSON.stringify("{origin}"));
  return Buffer.from(around.join(JSON.stringify(origin)));
}

/** Without NEXTAUTH_URL, clients choose the origins. Further ones get the plain form. */
const MOST_ORIGINS = 8;
const byOrigin = new Map<string, Buffer>();

function compressed(origin: string): Buffer | undefined {
  if (!byOrigin.has(origin) && byOrigin.size < MOST_ORIGINS) byOrigin.set(origin, gzipSync(written(origin)));
  return byOrigin.get(origin);
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route;

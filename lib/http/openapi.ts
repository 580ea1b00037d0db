import { z } from "zod";
import type { Declaration, Route } from "./endpoint";

type Json = Record<string, unknown>;

/** The codes of the errors, by status (contract, section 1: error). */
const STATUS_OF: Record<string, number> = {
  missing_parameter: 400,
  invalid_parameter: 400,
  duplicate_parameter: 400,
  creator_access: 400,
  key_mismatch: 400,
  missing_token: 401,
  invalid_token: 401,
  account_disabled: 403,
  prefetch_refused: 403,
  not_creator: 403,
  key_limit: 403,
  holder_limit: 403,
  key_not_found: 404,
  user_not_found: 404,
  no_files: 404,
  not_found: 404,
  method_not_allowed: 405,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
};

const DESCRIPTIONS: Record<number, string> = {
  400: "A parameter is missing, repeated or wrong.",
  401: "The token is missing or invalid.",
  403: "Not allowed.",
  404: "There is no such thing.",
  405: "The method is not GET.",
  416: "The range lies outside the document.",
  429: "Too many attempts. Retry-After says when to try again, in seconds.",
  500: "Our fault.",
  503: "The database is away. Try again in a moment.",
  507: "No room left to store this.",
};

const errorBody = z.object({ success: z.literal(false), error: z.string(), message: z.string(), code: z.string() });

/** The interface as an OpenAPI 3.1 document, made from the declarations that answer it. `origin` is where it is reached. */
export function openApiDocument(routes: Record<string, Route>, origin: string, version: string): Json {
  const paths = Object.values(routes).map(({ GET: { declaration } }) => [declaration.path, { get: operation(declaration) }]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Latchkey",
      version,
      description: "Keys that carry a secret, a user's whole file system in one answer, and programs linked by six letters. Every route is a GET.",
    },
    servers: [{ url: origin }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Error: schemaOf(errorBody, "output") },
      securitySchemes: {
        token: { type: "apiKey", in: "query", name: "auth", description: "The user's token, as /account shows it." },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operation(declaration: Declaration): Json {
  const needsToken = declaration.caller !== "nobody";
  return {
    summary: declaration.summary,
    operationId: operationId(declaration.path),
    parameters: parametersOf(declaration),
    security: needsToken ? [{ token: [] }, { bearer: [] }] : [],
    responses: responsesOf(declaration),
  };
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: Json;
}

/** The parameters of a route, `auth` aside, as OpenAPI describes them. */
export function parametersOf(declaration: Declaration): Parameter[] {
  const described = schemaOf(declaration.parameters, "input") as { properties?: Record<string, Json & { description?: string }>; required?: string[] };
  return Object.entries(described.properties ?? {}).map(([name, { description, ...schema }]) => {
    const inPath = declaration.path.includes(`{${name}}`);
    return { name, in: inPath ? "path" : "query", required: inPath || (described.required ?? []).includes(name), description, schema };
  });
}

/** The errors that a route answers: their codes by status, lowest status first. */
export function errorsOf(declaration: Declaration): { status: number; codes: string[] }[] {
  const codes = new Set(["method_not_allowed", "internal", "unavailable", "rate_limited", ...(declaration.errors ?? [])]);
  if (declaration.caller !== "nobody") for (const code of ["missing_token", "invalid_token", "account_disabled"]) codes.add(code);
  if (Object.keys(declaration.parameters.shape).length > 0)
    for (const code of ["missing_parameter", "invalid_parameter", "duplicate_parameter"]) codes.add(code);
  if (declaration.access === "change") for (const code of ["prefetch_refused", "storage_full"]) codes.add(code);

  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = STATUS_OF[code];
    if (status === undefined) throw new Error(`The error code ${code} of ${declaration.path} has no status in the interface's description.`);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, group]) => ({ status, codes: group }));
}

function responsesOf(declaration: Declaration): Json {
  const refusals = errorsOf(declaration).map(({ status, codes }) => [status, errorResponse(declaration, status, codes)]);
  return { 200: { description: "Done.", content: json(schemaOf(declaration.response, "output")) }, ...Object.fromEntries(refusals) };
}

function errorResponse({ refusal }: Declaration, status: number, codes: string[]): Json {
  const ownBody = refusal && status !== 405 && status !== 403;
  const content = ownBody ? {} : json({ allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: codes } } }] });
  return { description: DESCRIPTIONS[status], content };
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return described;
}

function operationId(path: string): string {
  return path
    .replace(/[{}]/g, "")
    .split(/[/_.-]/)
    .filter((part) => part !== "")
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join("");
}

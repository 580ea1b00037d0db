import { z } from "zod";
import type { Declaration, Route } from "./declaration";
import { headersOf, type Json, parametersOf, schemaOf } from "./declaration";
import { errorsOf, type ReportedError } from "./error-codes";

/** The areas of the routes, by path prefix; the first match wins. */
export const AREAS = [
  { prefix: "/keys/", name: "Keys", description: "Secrets with a list of holders." },
  { prefix: "/read-files", name: "Files", description: "Everything that a user has stored, in one response." },
  { prefix: "/link/", name: "Link", description: "How a program gets its user's token with six letters." },
  { prefix: "/", name: "User and service", description: "Who a token belongs to, and whether the service is up." },
] as const;

export const areaOf = (path: string) => AREAS.find(({ prefix }) => path.startsWith(prefix));

const errorBody = z.object({
  success: z.literal(false),
  error: z.string().describe("A sentence for people."),
  message: z.string().describe("The same sentence."),
  code: z.string().describe("A word for programs."),
});

/**
 * The API as an OpenAPI 3.1 document, built from the declarations that serve it. `origin` is the origin of this
 * deployment.
 */
export function openApiDocument(routes: Record<string, Route>, origin: string, version: string): Json {
  const paths = Object.values(routes).map(({ GET: { declaration } }) => [
    declaration.path,
    { get: operation(declaration) },
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Latchkey",
      version,
      description:
        "Keys that carry a secret, a user's whole file system in one response, and programs linked with " +
        "six letters. Every route is a GET.",
    },
    servers: [{ url: origin }],
    tags: AREAS.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Error: schemaOf(errorBody, "output") },
      securitySchemes: {
        token: { type: "apiKey", in: "query", name: "auth", description: "The user's token, as /account shows it." },
        bearer: { type: "http", scheme: "bearer", description: "The same token, in the header Authorization." },
      },
    },
  };
}

function operation(declaration: Declaration): Json {
  const isForOperator = declaration.operatorToken !== undefined;
  return {
    tags: [areaOf(declaration.path)?.name],
    summary: declaration.summary,
    operationId: operationId(declaration.path),
    parameters: [...parametersOf(declaration), ...headersOf(declaration)],
    security: declaration.caller === "token" ? [{ token: [] }, { bearer: [] }] : isForOperator ? [{ bearer: [] }] : [],
    responses: responsesOf(declaration),
  };
}

function responsesOf(declaration: Declaration): Json {
  const headers = Object.entries(declaration.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  const success = {
    description: "Done.",
    headers: Object.fromEntries(headers),
    content: {
      [declaration.mediaType ?? "application/json"]: {
        schema: schemaOf(declaration.response, "output"),
        example: declaration.example.response,
      },
    },
  };
  const others = Object.entries(declaration.otherResponses ?? {}).map(([status, description]) => [
    status,
    { description },
  ]);
  const refusals = [...errorsOf(declaration)].map(([status, errors]) => [
    status,
    describedRefusal(declaration, status, errors),
  ]);
  return { 200: success, ...Object.fromEntries(others), ...Object.fromEntries(refusals) };
}

function describedRefusal(declaration: Declaration, status: number, errors: ReportedError[]): Json {
  const ownBody = declaration.refusal && errors.some(({ body }) => !isErrorBody(body)) ? errors[0]?.body : undefined;
  const schema = ownBody
    ? status === 404 && declaration.refusedBody
      ? schemaOf(declaration.refusedBody, "output")
      : exactly(ownBody)
    : {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          { properties: { code: { enum: errors.map(({ code }) => code) } } },
        ],
      };
  const shown = ownBody
    ? [["refused", { value: ownBody }]]
    : errors.flatMap(({ code, body }) => (body ? [[code, { value: body }]] : []));
  const retry =
    status === 429 || status === 503
      ? { headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer", minimum: 1 } } } }
      : {};
  return {
    description: (ownBody && errors.length > 1 ? declaration.refusedWhen : undefined) ?? meaningsOf(errors),
    ...retry,
    content: { "application/json": { schema, examples: Object.fromEntries(shown) } },
  };
}

/** When a route responds with one of these errors: a sentence or, for several, a list by code. */
function meaningsOf(errors: ReportedError[]): string | undefined {
  if (errors.length === 1) return errors[0]?.meaning;
  return errors.map(({ code, meaning }) => `- ${code}: ${meaning}`).join("\n");
}

/** The schema of an object with exactly these values. */
function exactly(body: object): Json {
  const properties = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, { const: value }]));
  return { type: "object", properties, required: Object.keys(body), additionalProperties: false };
}

function isErrorBody(body: unknown): boolean {
  return body === undefined || errorBody.safeParse(body).success;
}

/** A route's operation id: `/keys/get/{id}` becomes `keysGetId`. */
export function operationId(path: string): string {
  return path
    .replace(/[{}]/g, "")
    .split(/[/_.-]/)
    .filter((part) => part !== "")
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join("");
}

/** Where the pages describe a route: `/keys/get/{id}` has the id `keys-get`. */
export function anchorOf(path: string): string {
  return path
    .replace(/\/\{\w+\}/g, "")
    .slice(1)
    .replaceAll("/", "-");
}

import { execFileSync } from "node:child_process";

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Json;
}

interface Operation {
  summary: string;
  parameters: Parameter[];
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

/** Where the client keeps the types of the API. */
export const API_TYPES = "clients/typescript/src/api.ts";

/** The same as others under another name, or no JSON. */
const TYPED_BY_ROUTE = [
  ...["/keys/cancel/{id}", "/keys/name/{id}", "/keys/admin_remove/{id}"],
  ...["/metrics", "/openapi.json", "/.well-known/oauth-authorization-server", "/.well-known/security.txt"],
];
/** Whose parameters the client passes on as it gets them. */
const PASSED_ON = "/keys/create";

/** The responses and the error codes of the API as TypeScript, from its description (OpenAPI 3.1). */
export function apiTypes(description: Json): string {
  const paths = Object.entries(description.paths as Record<string, { get: Operation }>);
  const described = paths.filter(([path]) => !TYPED_BY_ROUTE.includes(path)).map(([path, { get }]) => ({ path, get }));
  const codes = new Set(paths.flatMap(([, { get }]) => Object.values(get.responses).flatMap(codesOf)));
  return format(
    [
      "// Written by `npm run codegen` from the API's description. Do not edit.",
      ...described.map(({ path, get }) => {
        const named = described.find(
          (other) => other.get !== get && typeOf(responseOf(get)) === `Array<${typeOf(responseOf(other.get))}>`,
        );
        const type = named ? `${nameOf(named.get)}[]` : typeOf(responseOf(get));
        return `${comment(`The response of ${path}. ${get.summary}`)}export type ${nameOf(get)} = ${type};\n`;
      }),
      ...described.filter(({ path }) => path === PASSED_ON).map(({ path, get }) => parameterType(path, get)),
      "/** The codes of the API's errors. */",
      `export type ApiCode = ${[...codes].sort().map(quoted).join(" | ")};`,
    ].join("\n\n"),
    API_TYPES,
  );
}

/** The parameters of an operation, as its query has them: each is text, and a number where it is a decimal. */
function parameterType(path: string, operation: Operation): string {
  const fields = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.name !== "auth")
    .map(({ name, required, description = "", schema }) => {
      const type = schema.format === "decimal" ? "number | string" : "string";
      return `${description ? comment(description) : ""}${name}${required ? "" : "?"}: ${type};\n`;
    });
  const head = comment(`The parameters of ${path}.`);
  return `${head}export type ${nameOf(operation)}Parameters = {\n${fields.join("")}};\n`;
}

/** A comment of lines that are not too long. */
function comment(text: string): string {
  const lines = text.match(/\S.{0,110}(?=\s|$)/g) ?? [];
  return lines.length < 2 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

const quoted = (text: unknown) => JSON.stringify(text);
const nameOf = ({ operationId }: Operation) => operationId.charAt(0).toUpperCase() + operationId.slice(1);
const responseOf = ({ responses }: Operation) => Object.values(responses["200"]?.content ?? {})[0]?.schema ?? {};

/** The codes that a refusal names: an enumeration below its schema. */
function codesOf({ content }: { content?: Record<string, { schema: Json }> }): string[] {
  const parts = Object.values(content ?? {}).flatMap(({ schema }) => (schema.allOf as Json[] | undefined) ?? []);
  return parts.flatMap(({ properties }) => (properties as { code?: { enum?: string[] } })?.code?.enum ?? []);
}

/** A JSON Schema of an output as a TypeScript type. Throws an Error for what the API has not used so far. */
function typeOf(schema: Json): string {
  if (schema.const !== undefined) return quoted(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(quoted).join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOf).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf((schema.items as Json) ?? {})}>`;
    case "object":
      return objectType(schema);
    case undefined:
      return "unknown";
    default:
      throw new Error(`The types of the client cannot say: ${quoted(schema)}`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Json): string {
  const fields = Object.entries(properties as Record<string, Json>).map(([name, schema]) => {
    const words = typeof schema.description === "string" ? comment(schema.description) : "";
    return `${words}${quoted(name)}${(required as string[]).includes(name) ? "" : "?"}: ${typeOf(schema)};\n`;
  });
  if (fields.length === 0 && typeof additionalProperties === "object")
    return `Record<string, ${typeOf(additionalProperties as Json)}>`;
  return `{\n${fields.join("")}}`;
}

/** TypeScript as biome formats the repository's. `path`: where it will be. */
export function format(text: string, path: string): string {
  return execFileSync(
    process.execPath,
    ["node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${path}`],
    { input: text, encoding: "utf8" },
  );
}

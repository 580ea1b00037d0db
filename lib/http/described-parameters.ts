import { z } from "zod";
import type { Declaration } from "./declaration";

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Json;
  example?: string;
}

/** The parameters of a route, except `auth`, as OpenAPI describes them. */
export function parametersOf(declaration: Declaration): Parameter[] {
  const described = schemaOf(declaration.parameters, "input") as {
    properties?: Record<string, Json & { description?: string }>;
    required?: string[];
  };
  return Object.entries(described.properties ?? {}).map(([name, { description, ...schema }]) => {
    const inPath = declaration.path.includes(`{${name}}`);
    const required = inPath || (described.required ?? []).includes(name);
    return {
      name,
      in: inPath ? "path" : "query",
      required,
      description,
      schema,
      example: declaration.example.parameters?.[name],
    };
  });
}

/** The request headers specific to a route, as OpenAPI describes them. */
export function headersOf({ requestHeaders = {} }: Declaration): Parameter[] {
  return Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

/** Creating one takes a millisecond, and a page of the documentation shows dozens. */
const known = { input: new WeakMap<z.ZodType, Json>(), output: new WeakMap<z.ZodType, Json>() };

/** A zod schema as JSON Schema, for input or output. It is created once and shared: do not modify it. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Readonly<Json> {
  const made = known[io].get(schema);
  if (made) return made;
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  known[io].set(schema, described);
  return described;
}

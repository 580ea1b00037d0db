import { z } from "zod";
import type { Declaration } from "./endpoint";

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: Json;
  example?: string;
}

/** The parameters of a route, `auth` aside, as OpenAPI describes them. */
export function parametersOf(declaration: Declaration): Parameter[] {
  const described = schemaOf(declaration.parameters, "input") as { properties?: Record<string, Json & { description?: string }>; required?: string[] };
  return Object.entries(described.properties ?? {}).map(([name, { description, ...schema }]) => {
    const inPath = declaration.path.includes(`{${name}}`);
    const required = inPath || (described.required ?? []).includes(name);
    return { name, in: inPath ? "path" : "query", required, description, schema, example: declaration.example.parameters?.[name] };
  });
}

/** Making one takes a millisecond, and a page of the documentation shows dozens. */
const known = { input: new WeakMap<z.ZodType, Json>(), output: new WeakMap<z.ZodType, Json>() };

/** A zod schema as JSON Schema, for what goes in or what comes out. It is made once: nobody may change it. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Readonly<Json> {
  const made = known[io].get(schema);
  if (made) return made;
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  known[io].set(schema, described);
  return described;
}

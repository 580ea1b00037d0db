import type { Json } from "@/lib/api/declaration";
import { ERROR_CODES } from "@/lib/api/error-codes";

/** The answers that the Python client returns, by route. The items of a list are named, not the list. */
const RECORDS: Record<string, string> = {
  "/keys/get/{id}": "Key",
  "/keys/create": "KeyCreated",
  "/keys/check/{username}": "KeyChecked",
  "/keys/revoke/{id}": "AccessRevoked",
  "/keys/delete/{id}": "KeyDeleted",
  "/keys/update/{id}": "KeyUpdated",
  "/keys/admin_add/{id}": "HolderAdded",
  "/link/code": "LinkCode",
  "/link/status": "LinkStatus",
  "/link/user": "Linked",
  "/me": "Me",
  "/generate_validator": "ValidatorCreated",
};
const SIMPLE: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};
const WRITTEN = "Written by `npm run codegen`. Do not edit.";

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

interface Description {
  paths: Record<string, { get: { summary: string; responses: Record<string, { content?: Json }> } }>;
}

/** What these modules are written from: a description (OpenAPI 3.1) as JSON has it. */
export function describedIn(description: Json): Description {
  return JSON.parse(JSON.stringify(description));
}

/** The module with a TypedDict for each answer of the description (OpenAPI 3.1). */
export function pythonRecords(description: Description): string {
  const classes: string[] = [];
  for (const [path, name] of Object.entries(RECORDS)) {
    const operation = description.paths[path]?.get;
    const content = operation?.responses["200"]?.content?.["application/json"] as { schema: Schema } | undefined;
    if (!operation || !content) throw new Error(`The description has no response of ${path}.`);
    writeRecord(name, { ...content.schema, description: `${path}: ${operation.summary}` }, classes);
  }
  const header = [
    `"""The service's responses. ${WRITTEN}"""`,
    "",
    "from typing import Dict, List, Literal, TypedDict, Union",
  ];
  return `${[header.join("\n"), ...classes].join("\n\n\n")}\n`;
}

/** Adds the class of an object to `classes`, behind those that it needs. */
function writeRecord(name: string, schema: Schema, classes: string[]): void {
  const about = schema.description ?? "A part of other responses.";
  const forms = schema.anyOf ?? [schema];
  const fields = Object.assign({}, ...forms.map(({ properties }) => properties)) as Record<string, Schema>;
  const isAlways = (field: string) => forms.every(({ required = [] }) => required.includes(field));
  const lines = (required: boolean) =>
    Object.entries(fields).flatMap(([field, value]) =>
      isAlways(field) === required
        ? [
            `    ${field}: ${typeOf(value, `${name}${field[0]?.toUpperCase()}${field.slice(1)}`, classes)}`,
            ...(value.description ? wrapped(`"""${value.description}"""`) : []),
          ]
        : [],
    );
  const [required, optional] = [lines(true), lines(false)];
  if (optional.length === 0) return void classes.push(classOf(`${name}(TypedDict)`, about, required));
  classes.push(classOf(`_${name}Always(TypedDict)`, "What is always there.", required));
  classes.push(classOf(`${name}(_${name}Always, total=False)`, about, optional));
}

const classOf = (head: string, about: string, lines: string[]) =>
  [`class ${head}:`, ...wrapped(`"""${about}"""`), "", ...lines].join("\n");

/** A schema as a Python type. An object becomes a class of that name. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  if ("const" in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
  if (schema.anyOf) return `Union[${schema.anyOf.map((one) => typeOf(one, name, classes)).join(", ")}]`;
  if (Array.isArray(schema.type))
    return `Union[${schema.type.map((type) => typeOf({ type }, name, classes)).join(", ")}]`;
  if (schema.type === "array") return `List[${typeOf(schema.items ?? {}, name, classes)}]`;
  if (schema.type === "object" && schema.properties) {
    const own: string[] = [];
    writeRecord(name, schema, own);
    // Answers have parts in common.
    const existing = classes.find((one) => bodyOf(one) === bodyOf(own.at(-1)));
    if (existing) return /^class (\w+)/.exec(existing)?.[1] ?? name;
    classes.push(...own);
    return name;
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object")
    return `Dict[str, ${typeOf(schema.additionalProperties, name, classes)}]`;
  const simple = SIMPLE[schema.type ?? ""];
  if (!simple) throw new Error(`No Python type for ${JSON.stringify(schema)}.`);
  return simple;
}

const bodyOf = (text = "") => text.slice(text.indexOf("\n"));
const literal = (value: unknown) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

/** Lines of at most 120 characters, in a class. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= 120) lines[lines.length - 1] = longer;
    else lines.push(`    ${word}`);
  }
  return lines;
}

/** The module with an exception for each code of an error that the description has. */
export function pythonRefusals(description: Description): string {
  const codes = new Map<string, number>();
  for (const { get } of Object.values(description.paths))
    for (const [status, { content }] of Object.entries(get.responses)) {
      const { schema } = (content?.["application/json"] ?? {}) as { schema?: { allOf?: [unknown, Schema] } };
      for (const code of schema?.allOf?.[1].properties?.code?.enum ?? []) codes.set(String(code), Number(status));
    }
  const names = [...codes].map(([code, status]) => ({ code, status, name: exceptionOf(code) }));
  const classes = names.map(({ code, status, name }) =>
    [`class ${name}(ApiError):`, ...wrapped(`"""${status} ${code}: ${ERROR_CODES.get(code)?.meaning}"""`)].join("\n"),
  );
  const header = [
    `"""The service's refusals, a class for each code. ${WRITTEN}"""`,
    "",
    "from typing import Dict, Type",
    "",
    "from .errors import ApiError",
  ].join("\n");
  const table = [
    "BY_CODE: Dict[str, Type[ApiError]] = {",
    ...names.map(({ code, name }) => `    "${code}": ${name},`),
    "}",
  ].join("\n");
  return `${[header, ...classes, table].join("\n\n\n")}\n`;
}

/** `KeyNotFound` for `key_not_found`. */
const exceptionOf = (code: string) =>
  code
    .split("_")
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("");

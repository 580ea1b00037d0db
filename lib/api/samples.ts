import type { Declaration } from "./declaration";

/**
 * The path and query of a request: `values` fill in the braces of the pattern, and the others are its query, in which
 * nothing means anything to a shell between quotes.
 */
export function requestPath(pattern: string, values: Record<string, string>): string {
  const inQuery = Object.entries(values).filter(([name]) => !pattern.includes(`{${name}}`));
  const path = filledPath(pattern, values);
  return inQuery.length > 0 ? `${path}?${new URLSearchParams(inQuery)}` : path;
}

/** The path alone. */
function filledPath(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** The languages of samples, in the order of their tabs. */
export const LANGUAGES = [
  { id: "curl", name: "curl" },
  { id: "javascript", name: "JavaScript" },
  { id: "python", name: "Python" },
] as const;

export type Language = (typeof LANGUAGES)[number]["id"];

/** The same program in every language. */
export type Samples = Record<Language, string>;

/** The variable of the environment that holds the token which a route takes, or null if it takes none. */
function tokenVariable({ caller, operatorToken }: Declaration): string | null {
  return caller === "token" ? "TOKEN" : (operatorToken ?? null);
}

/** Variables of the environment that a sample reads: its token, and values by those of the example. */
export interface SampleVariables {
  token?: string;
  values?: Record<string, string>;
}

/** The example request of a route, in every language. `values` replaces those of the example. */
export function samplesOf(
  declaration: Declaration,
  origin: string,
  {
    values = declaration.example.parameters ?? {},
    variables = {},
  }: { values?: Values; variables?: SampleVariables } = {},
): Samples {
  const sample = {
    declaration,
    origin,
    values,
    token: variables.token ?? tokenVariable(declaration),
    variables: variables.values ?? {},
  };
  return { curl: curl(sample), javascript: javascript(sample), python: python(sample) };
}

interface Sample {
  declaration: Declaration;
  origin: string;
  values: Values;
  token: string | null;
  variables: Record<string, string>;
}

type Values = Record<string, string>;

function curl({ declaration, origin, values, token, variables }: Sample): string {
  const header = token ? `-H "Authorization: Bearer $${token}" ` : "";
  const isFile = declaration.path === "/read-files";
  const address = `${origin}${requestPath(declaration.path, values)}`;
  const read = withVariables(address, variables, (name) => `$${name}`);
  return `curl ${isFile ? "--compressed " : ""}${header}${read === address ? `'${address}'` : `"${read}"`}`;
}

function javascript({ declaration, origin, values, token, variables }: Sample): string {
  const query = queryOf(declaration, values);
  const url = origin + filledPath(declaration.path, values);
  const read = withVariables(url, variables, (name) => `\${process.env.${name}}`);
  const address = query || read !== url ? `\`${read}${query ? `?\${query}` : ""}\`` : JSON.stringify(url);
  const written = (value: string) => (variables[value] ? `process.env.${variables[value]}` : JSON.stringify(value));
  const body = isText(declaration) ? "await response.text()" : "await response.json()";
  return [
    ...(query ? [`const query = new URLSearchParams({ ${pairs(query, bare, written)} });`] : []),
    ...(token
      ? [
          `const response = await fetch(${address}, {`,
          `  headers: { Authorization: \`Bearer \${process.env.${token}}\` },`,
          "});",
        ]
      : [`const response = await fetch(${address});`]),
    `const body = ${body};`,
    // The body of such a refusal is the same as that of a success, with other values.
    ...(declaration.refusal
      ? []
      : [`if (!response.ok) throw new Error(${isText(declaration) ? "body" : "body.error"});`]),
    "console.log(body);",
  ].join("\n");
}

function python({ declaration, origin, values, token, variables }: Sample): string {
  const query = queryOf(declaration, values);
  const url = origin + filledPath(declaration.path, values);
  const address = withVariables(url, variables, (name) => `{os.environ['${name}']}`);
  const written = (value: string) => (variables[value] ? `os.environ["${variables[value]}"]` : JSON.stringify(value));
  const quoted = query || address !== url ? `f"${address}${query ? "?{query}" : ""}"` : JSON.stringify(url);
  const read = isText(declaration) ? "response.read().decode()" : "json.load(response)";
  return [
    ...(isText(declaration) ? [] : ["import json"]),
    ...(token || Object.values(values).some((value) => variables[value]) ? ["import os"] : []),
    "from urllib.error import HTTPError",
    ...(query ? ["from urllib.parse import urlencode"] : []),
    "from urllib.request import Request, urlopen",
    "",
    ...(query ? [`query = urlencode(${`{${pairs(query, JSON.stringify, written)}}`})`] : []),
    `request = Request(${quoted})`,
    ...(token ? [`request.add_header("Authorization", f"Bearer {os.environ['${token}']}")`] : []),
    "try:",
    "    response = urlopen(request)",
    "except HTTPError as refusal:",
    "    response = refusal",
    `print(${read})`,
  ].join("\n");
}

const isText = ({ mediaType }: Declaration) => mediaType?.startsWith("text/") === true;

function queryOf({ path }: Declaration, values: Values): Values | undefined {
  const query = Object.entries(values).filter(([name]) => !path.includes(`{${name}}`));
  return query.length > 0 ? Object.fromEntries(query) : undefined;
}

const bare = (name: string) => name;

/** The text with the variables in place of the values that they hold. */
function withVariables(text: string, variables: Record<string, string>, reading: (name: string) => string): string {
  return Object.entries(variables).reduce((read, [value, name]) => read.replaceAll(value, () => reading(name)), text);
}

function pairs(values: Values, nameOf: (name: string) => string, written: (value: string) => string): string {
  return Object.entries(values)
    .map(([name, value]) => `${nameOf(name)}: ${written(value)}`)
    .join(", ");
}

// A generator of Prisma's (prisma/schema.prisma): writes the tables and columns of the models as a module, for backups.
// Prisma sends requests on stdin and reads the responses from stderr, one JSON-RPC message per line.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const responses = {
  getManifest: () => ({ manifest: { prettyName: "tables and columns", defaultOutput: "tables.ts" } }),
  generate({ dmmf, generator }) {
    writeFileSync(generator.output.value, moduleOf(dmmf.datamodel.models.map(tableOf)));
    return null;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  process.stderr.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: responses[method](params) })}\n`);
}

function tableOf({ name, fields }) {
  const columns = fields
    .filter(({ kind }) => kind === "scalar")
    .map(({ name, type, isRequired, default: initial }) => ({
      name,
      kind: type,
      isOptional: !isRequired,
      isCounted: initial?.name === "autoincrement",
    }));
  const needs = fields.filter(({ relationFromFields }) => relationFromFields?.length > 0).map(({ type }) => type);
  return { name, columns, needs };
}

function moduleOf(tables) {
  return [
    "// Derived from prisma/schema.prisma. Do not edit.",
    'import type { Table } from "../../lib/operator/backup/tables";',
    "",
    `export const tables: (Table & { needs: string[] })[] = ${JSON.stringify(tables, null, 2)};`,
    "",
  ].join("\n");
}

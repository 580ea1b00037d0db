// npm pack and npm publish in clients/typescript or clients/cli: writes dist/, which the package consists of
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clientModule, clientTypes, commandLine } from "./bundle.mjs";

const folder = new URL(`../../clients/${process.argv[2]}/`, import.meta.url);
const write = (name, text, mode) => writeFileSync(fileURLToPath(new URL(name, folder)), text, { mode });

rmSync(new URL("dist", folder), { recursive: true, force: true });
mkdirSync(new URL("dist", folder));
if (process.argv[2] === "cli") {
  const { program, licences } = await commandLine();
  write("dist/latchkey.mjs", program, 0o755);
  write("THIRD-PARTY.txt", licences);
} else {
  write("dist/client.mjs", await clientModule());
  write("dist/client.d.mts", clientTypes());
}

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Command = [program: string, parameters: string[]];

/** The sample of docs/operations.md that has this line, or begins with it. */
export function sample(line: string): string {
  const text = readFileSync("docs/operations.md", "utf8")
    .split("```")
    .find((block) => block.includes(`\n${line}\n`));
  if (text === undefined) throw new Error(`docs/operations.md has no sample with ${line}.`);
  return text.slice(text.indexOf("\n") + 1);
}

/** What runs nginx without any rights, with this in its `http` block. Its files are in `folder`. */
export function nginx(folder: string, name: string, site: string): Command {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = places.map((place) => `${place}_temp_path ${folder}/${name}-${place};`).join(" ");
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, `pid ${folder}/${name}.pid; events {} http { ${temporary}\n${site}\n}`);
  return ["nginx", ["-p", folder, "-e", join(folder, "errors"), "-c", file, "-g", "daemon off;"]];
}

export function haproxy(folder: string, name: string, configuration: string): Command {
  const file = join(folder, `${name}.cfg`);
  writeFileSync(file, configuration);
  return ["haproxy", ["-f", file]];
}

/** Starts a program that may be in /usr/sbin. */
export function startProxy([program, parameters]: Command, environment: Record<string, string> = {}): ChildProcess {
  const PATH = `${process.env.PATH}:/usr/sbin`;
  return spawn(program, parameters, { stdio: "ignore", env: { ...process.env, PATH, ...environment } });
}

/** The lines of a service's log that say what to set because of a proxy. */
export const proxyWarnings = ({ logFile }: { logFile: string }): string[] =>
  readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes("TRUSTED_PROXIES"));

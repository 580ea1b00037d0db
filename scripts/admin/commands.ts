import { pipeline } from "node:stream/promises";
import { sweepAll } from "@/lib/account/sweep";
import { OPERATOR } from "@/lib/audit";
import { rotateSecrets } from "@/lib/auth/rotate-secrets";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { revealToken, rotateToken } from "@/lib/auth/tokens";
import { createUser, findUser, setDisabled, setPassword, setRole } from "@/lib/auth/users";
import { restoreBackup } from "@/lib/backup/restore";
import { writeBackup } from "@/lib/backup/write";
import { examine, type Finding } from "@/lib/doctor/examine";
import { exportDocument } from "@/lib/files/export";
import { printTrail } from "./audit";
import { importFiles } from "./import-files";
import { pipedPassword, typedPassword } from "./password";
import { type Given, UsageError } from "./usage";

export interface Command {
  /** How it is typed. */
  form: string;
  /** Answers what is printed as a JSON line; nothing where it has written its answer itself. */
  run(given: Given): Promise<object | undefined>;
  /** Works on a database whose secret is lost too. */
  withoutSecrets?: true;
  /** Works on a database that a newer version has migrated, and on one that nobody has. */
  onAnyDatabase?: true;
}

export const commands: Record<string, Command> = {
  "user:create": {
    form: "user:create <name>",
    async run({ name }) {
      const { username, token } = await createUser({ username: name, password: await pipedPassword(), madeBy: OPERATOR });
      return { username, token };
    },
  },
  "user:token": {
    form: "user:token <name> [--rotate]",
    async run({ name, rotate }) {
      const { id, username } = await findUser(name);
      return { username, token: await (rotate ? rotateToken(id, OPERATOR) : revealToken(id, OPERATOR)) };
    },
  },
  "user:role": {
    form: "user:role <name> admin|user",
    async run({ name, value }) {
      if (value !== "admin" && value !== "user") throw new UsageError(`A role is admin or user, not ${value}.`);
      const { username } = await findUser(name);
      await setRole(username, value);
      return { username, role: value };
    },
  },
  "user:disable": { form: "user:disable <name>", run: ({ name }) => disable(name, true) },
  "user:enable": { form: "user:enable <name>", run: ({ name }) => disable(name, false) },
  "user:password": {
    form: "user:password <name>",
    async run({ name }) {
      const { username } = await findUser(name);
      const password = process.stdin.isTTY ? await typedPassword(username) : await pipedPassword();
      if (password === null) throw new UsageError("The new password is asked for at a terminal, or read from standard input: pipe it into this command.");
      await setPassword(username, password);
      return { username };
    },
  },
  "files:import": { form: "files:import <name> <file> [--skip]", run: importFiles },
  "files:export": {
    form: "files:export <name>",
    async run({ name }) {
      const { id } = await findUser(name);
      await pipeline(await exportDocument(id), process.stdout, { end: false });
      process.stdout.write("\n");
      return undefined;
    },
  },
  audit: { form: "audit [--key <id> | --user <name>] [--limit <n>]", run: printTrail },
  sweep: { form: "sweep", run: () => sweepAll() },
  backup: {
    form: "backup <file>",
    async run({ name }) {
      const written = await writeBackup(name);
      if (written.holdsSecret) console.error("The backup holds the secret that protects all tokens: keep it as safe as that.");
      return written;
    },
  },
  restore: {
    form: "restore <file> [--replace] [--unsigned]",
    withoutSecrets: true,
    onAnyDatabase: true,
    async run({ name, replace, unsigned }) {
      const { isSigned, ...restored } = await restoreBackup(name, { replace, unsigned });
      if (!isSigned) console.error("The backup was not signed: nobody can tell whether it was changed since it was made.");
      return restored;
    },
  },
  doctor: {
    form: "doctor",
    withoutSecrets: true,
    async run() {
      const problems: Finding[] = [];
      for await (const finding of examine()) problems.push(finding);
      if (problems.length > 0) process.exitCode = 1;
      return { ok: problems.length === 0, problems };
    },
  },
  "secrets:rotate": {
    form: "secrets:rotate [--lost]",
    withoutSecrets: true,
    async run({ lost }) {
      if (!lost) await checkSecrets("command");
      return rotateSecrets(lost);
    },
  },
};

async function disable(name: string, disabled: boolean) {
  const { username } = await findUser(name);
  await setDisabled(username, disabled);
  return { username, disabled };
}

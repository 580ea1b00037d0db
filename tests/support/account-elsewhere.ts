// Run in its own process, with the database and the secret of another machine: prints what a user has there, and what
// the doctor finds. With `make`, makes the user first; then runs these commands of the operator, whose output comes
// before; with `backup`, writes a backup to this file at the end.
import { OPERATOR } from "@/lib/audit";
import { revealToken } from "@/lib/auth/rotate-token";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { createUser } from "@/lib/auth/users";
import { writeBackup } from "@/lib/backup/write";
import { closeDatabase, db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { examine } from "@/lib/doctor/examine";
import type { Finding } from "@/lib/doctor/finding";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/reveal";
import { findUser } from "@/lib/user";
import { adminProgram } from "@/scripts/admin/program";
import { chunks, textOf } from "./documents";

interface Task {
  username: string;
  make?: { data: string; document: string };
  commands?: string[][];
  backup?: string;
}

const { username, make, commands = [], backup }: Task = JSON.parse(process.argv[2] ?? "");
async function open(): Promise<void> {
  await migrate();
  await checkSecrets("command");
}
if (make) {
  await open();
  const made = await createUser({ username });
  await createKey({ ...made, role: "user" }, { data: make.data, price: "1" });
  await importDocument(made, chunks(make.document));
}
for (const sent of commands) await adminProgram().parseAsync(sent, { from: "user" });
await open();
const { id } = await findUser(username);
const keys: string[] = [];
for (const key of await db.key.findMany({ where: { creatorId: id }, select: { id: true } }))
  keys.push(await revealData({ id, username, role: "user" }, key.id));
const files = await textOf(await exportDocument(id));
const problems: Finding[] = [];
for await (const finding of examine()) problems.push(finding);
if (backup) await writeBackup(backup);
console.log(JSON.stringify({ token: await revealToken(id, OPERATOR), keys, files, problems }));
await closeDatabase();

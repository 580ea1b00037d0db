// Run in its own process, with the database and the secret of another machine: prints what a user has there, what the
// doctor finds, and which keys sign. With `make`, makes the user first; then runs these commands of the operator, whose
// output comes before; with `backup`, writes a backup to this file at the end.

import { revealToken } from "@/lib/accounts/identity/token";
import { findUser } from "@/lib/accounts/identity/user";
import { createValidator, publicKeySet } from "@/lib/accounts/identity/validators";
import { createUser } from "@/lib/accounts/ways-in/create";
import { importDocument } from "@/lib/files/import";
import { exportDocument } from "@/lib/files/read";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/data";
import { writeBackup } from "@/lib/operator/backup/write";
import { examine } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { checkSecrets } from "@/lib/operator/secrets";
import { OPERATOR } from "@/lib/platform/audit";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
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
  await createValidator({ ...made, role: "user" }, { audience: "a", issuer: "https://keys.example.org" });
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
const token = await revealToken(id, { actorId: OPERATOR });
console.log(JSON.stringify({ token, keys, files, problems, signing: (await publicKeySet()).keys }));
await closeDatabase();

// Run in its own process: node --import tsx bench/seed-links.ts <codes> <password>, with the environment of a service.
// Makes the user "person" with this password, and codes that users have approved and that nobody has collected. Writes
// the codes, with the hashes of their letters, to standard output as JSON.
import { createUser } from "@/lib/auth/users";
import { closeDatabase, db } from "@/lib/db/client";
import { askForCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import { hashCode } from "@/lib/link/hashes";

const AT_ONCE = 16;
const MACHINE = { id: "loopback", kind: "local" } as const;

const [count = 0, password = ""] = [Number(process.argv[2]), process.argv[3]];
await createUser({ username: "person", password });
const users = await db.user.findMany({ select: { id: true }, take: 100 });
const codes: { code: string; codeHash: string }[] = [];

async function approveSome(): Promise<void> {
  while (codes.length < count) {
    const user = users[codes.length % users.length];
    const { code, id } = await askForCode({ network: MACHINE, program: "bench", webPage: null });
    await approveRequest({ id: user?.id ?? "", network: MACHINE }, id);
    codes.push({ code, codeHash: hashCode(code) });
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, approveSome));
await closeDatabase();
process.stdout.write(JSON.stringify(codes));

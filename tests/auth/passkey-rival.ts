// One of two processes that race for the same challenges. Gets them as JSON on standard input, waits for the time that
// it is told, and prints which answers it accepted, by their places, and why it refused the others.
import { text } from "node:stream/consumers";
import { closeDatabase } from "@/lib/db/client";
import type { Ceremony } from "@/lib/passkeys/challenge";
import { provePasskey } from "@/lib/passkeys/prove";
import type { RelyingParty } from "@/lib/passkeys/relying-party";

interface Task {
  party: RelyingParty;
  ceremony: Ceremony;
  startAt: number;
  answers: unknown[];
}

const { party, ceremony, startAt, answers }: Task = JSON.parse(await text(process.stdin));
await provePasskey({}, party, ceremony).catch(() => {});
await new Promise((resolve) => setTimeout(resolve, startAt - Date.now()));
const accepted: number[] = [];
const refused = new Set<string>();
for (const [place, answer] of answers.entries())
  await provePasskey(answer, party, ceremony).then(
    () => accepted.push(place),
    (error) => refused.add(String(error)),
  );
process.stdout.write(JSON.stringify({ accepted, refused: [...refused] }));
await closeDatabase();

import { z } from "zod";
import { type Asking, ask, json, length, ServiceRefusal } from "./ask";

const SHOWN_KEYS = 5;

const me = z.object({ username: z.string() });
const mine = z.array(z.object({ key: z.string(), name: z.string(), creator: z.string() }));

/** Prints what the linked user has, without secrets. */
export async function introduce(service: URL, asking: Asking & { token: string }): Promise<void> {
  const get = async <Shape>(path: string, shape: z.ZodType<Shape>) => {
    const { status, body } = await ask(new URL(path, service), asking, json(shape));
    if (status !== 200 || !body) throw refusal(path, status);
    return body;
  };

  const { username } = await get("/me", me);
  asking.say(`\nLinked to ${plain(username)}. The token is ${masked(asking.token)}`);

  const keys = await get("/keys/mine", mine);
  asking.say(`Keys:  ${keys.length === 0 ? "none yet" : keys.length}`);
  for (const { key, name, creator } of keys.slice(0, SHOWN_KEYS))
    asking.say(`       ${plain(name || key)}, created by ${plain(creator)}`);
  if (keys.length > SHOWN_KEYS) asking.say(`       and ${keys.length - SHOWN_KEYS} more`);

  const files = await ask(new URL("/read-files", service), asking, length);
  if (files.status !== 200 && files.status !== 404) throw refusal("/read-files", files.status);
  asking.say(`Files: ${files.status === 200 ? `${files.body.toLocaleString("en")} bytes` : "none yet"}`);
}

function refusal(path: string, status: number): ServiceRefusal {
  return new ServiceRefusal(
    status === 401 ? "Access has been revoked." : `Unexpected response from ${path} (${status}).`,
  );
}

function masked(token: string): string {
  return `${token.slice(0, 3)}${"•".repeat(12)}`;
}

/** Removes characters that would move the cursor or colour the terminal: others choose the names of keys. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

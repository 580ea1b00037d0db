import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openSecretMode, secretSource } from "@/lib/platform/crypto/secret-source";
import { canClose, DATABASE_FILE, openMode } from "@/lib/platform/data-folder";
import { env } from "@/lib/platform/env";
import type { Finding } from "./finding";

/** Whether others can read the secret, or the embedded database. */
export async function* permissions(): AsyncGenerator<Finding> {
  const { file } = secretSource();
  const mode = file ? openSecretMode(file) : 0;
  if (file && mode) yield isOpen(file, mode, { allowed: "600", instead: "set AUTH_SECRET instead" });
  if (env.DATABASE_URL) return;
  const files = readdirSync(env.DATA_DIR).filter((name) => name.startsWith(DATABASE_FILE));
  for (const [path, allowed] of [
    [env.DATA_DIR, "700"] as const,
    ...files.map((name) => [join(env.DATA_DIR, name), "600"] as const),
  ]) {
    const mode = openMode(path);
    if (mode) yield isOpen(path, mode, { allowed, instead: "set DATA_DIR to a folder on another file system" });
  }
}

const isOpen = (path: string, mode: number, { allowed, instead }: Record<"allowed" | "instead", string>): Finding => ({
  check: "permissions",
  problem: `${path} is open to others (${mode.toString(8)}).`,
  advice: canClose(path)
    ? `chmod ${allowed} ${path}`
    : `It is not this user's, or its file system keeps no modes. If others use this machine, ${instead}.`,
});

import { chmodSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { canClose, howToOwnIt, openMode, SECRET_FILE } from "../data-folder";
import { areSecrets, type Environment, env, SECRET_RULE } from "../env";

/** The name that systemd's credential and a container's secret must have. */
const NAME = "auth_secret";
/** Where Docker, Podman and Kubernetes mount secrets. Only root writes there. */
const MOUNTED = "/run/secrets";

/** Where the secrets come from, and the file that they are in, unless they are in a variable. */
export type SecretSource =
  | { from: "AUTH_SECRET"; file?: undefined }
  | { from: "AUTH_SECRET_FILE" | "credential" | "container" | "data folder"; file: string };

type Settings = Pick<
  Environment,
  "AUTH_SECRET" | "AUTH_SECRET_FILE" | "CREDENTIALS_DIRECTORY" | "DATA_DIR" | "DATABASE_URL"
>;

/** The first of these that is there; the last one may have to be created. */
export function secretSource(settings: Settings = env, mounted = MOUNTED): SecretSource {
  if (settings.AUTH_SECRET) return { from: "AUTH_SECRET" };
  if (settings.AUTH_SECRET_FILE) return { from: "AUTH_SECRET_FILE", file: settings.AUTH_SECRET_FILE };
  const credential = join(settings.CREDENTIALS_DIRECTORY ?? "", NAME);
  if (settings.CREDENTIALS_DIRECTORY && existsSync(credential)) return { from: "credential", file: credential };
  const secret = join(mounted, NAME);
  if (existsSync(secret)) return { from: "container", file: secret };
  return { from: "data folder", file: join(settings.DATA_DIR, SECRET_FILE) };
}

/** The source for people: the variable, or the file. */
export function secretLocation(): string {
  return secretSource().file ?? "AUTH_SECRET";
}

/** The secrets' text, or undefined if there is no file in the data folder. Throws an Error that says what to do. */
export function readSecrets(source: SecretSource): string | undefined {
  if (source.from === "AUTH_SECRET") return env.AUTH_SECRET;
  const { from, file } = source;
  const setting = SETTINGS[from];
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && from === "data folder") return undefined;
    const advice = from === "data folder" ? howToOwnIt() : "";
    throw new Error(`The secret in ${file}${setting} cannot be read: ${code}. ${advice}`.trim());
  }
  const mode = openSecretMode(file);
  if (mode && canClose(file)) {
    const isOpenToAll = (mode & 0o007) !== 0;
    if (from !== "data folder" || isOpenToAll)
      throw new Error(`The secret in ${file} is open to others (mode ${mode.toString(8)}): chmod 600 ${file}`);
    // Kubernetes opens every file of a volume to a group (fsGroup), each time that it mounts it.
    chmodSync(file, 0o600);
  }
  if (!areSecrets(text)) throw new Error(`The secret in ${file}${setting} ${SECRET_RULE}.`);
  return text;
}

const SETTINGS = {
  AUTH_SECRET_FILE: " (AUTH_SECRET_FILE)",
  credential: " (a credential of systemd)",
  container: "",
  "data folder": " (DATA_DIR)",
};

/**
 * The mode of a secret's file that others may read, or else 0: as `openMode`. What systemd or a container's platform
 * mounted is as they decided: they often have it readable for everybody whom they let in.
 */
export function openSecretMode(file: string): number {
  const mountedFolders = [MOUNTED, ...(env.CREDENTIALS_DIRECTORY ? [env.CREDENTIALS_DIRECTORY] : [])];
  return mountedFolders.some((folder) => isInside(file, folder)) ? 0 : openMode(file);
}

/** Whether whoever copies the folder of the embedded database copies the secret along. */
export function isBesideData(settings: Settings = env): boolean {
  const { file } = secretSource(settings);
  return !settings.DATABASE_URL && file !== undefined && isInside(file, settings.DATA_DIR);
}

function isInside(file: string, folder: string): boolean {
  return real(file).startsWith(real(folder) + sep);
}

/** The path without symbolic links, also of something that does not exist. */
function real(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  return absolute === dirname(absolute)
    ? absolute
    : join(real(dirname(absolute)), absolute.slice(dirname(absolute).length));
}

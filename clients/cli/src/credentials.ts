import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { EXIT, Failure } from "./failure";
import { keychain } from "./keychain";
import { makeFolder } from "./make-folder";
import { printMessage } from "./output";

interface Credentials {
  /** The service of the last sign-in. */
  address?: string;
  /** Tokens by address, where the system has no keychain. */
  tokens: Record<string, string>;
}

function folder(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const base = process.platform === "win32" && APPDATA ? APPDATA : XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(base, "latchkey");
}

const file = () => join(folder(), "credentials.json");

function read(): Credentials {
  let text: string;
  try {
    if (isOpen(file()) && keepsModes())
      throw new Failure(EXIT.failed, "file_not_private", `Others can read ${file()}. Run: chmod 600 '${file()}'`);
    text = readFileSync(file(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { tokens: {} };
    throw error;
  }
  try {
    const { address, tokens } = JSON.parse(text.replace(/^\ufeff/, ""));
    return { address: typeof address === "string" ? address : undefined, tokens: Object(tokens) };
  } catch {
    throw new Failure(EXIT.failed, "file_damaged", `${file()} cannot be read. Remove it, and sign in again.`);
  }
}

/** Replaces the file in one step. Only its user can read it. */
function write(credentials: Credentials): void {
  makeFolder(resolve(folder()), 0o700);
  const next = `${file()}.${process.pid}`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  if (isOpen(next)) closeToOthers(next);
  renameSync(next, file());
  if (isOpen(file())) printMessage(`Others who use this machine may read ${file()}: its file system keeps no modes.`);
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // The file system keeps no modes.
  }
}

/** Windows keeps the folder of a user's programs private by itself. */
const isOpen = (path: string) => process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;

/** Folders of Windows in WSL, SMB and exFAT keep none: there, every file is as the whole folder is. */
function keepsModes(): boolean {
  const probe = `${file()}.mode-${process.pid}`;
  try {
    writeFileSync(probe, "", { mode: 0o600, flag: "wx" });
    return !isOpen(probe);
  } catch {
    return true;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** The service of the last sign-in. */
export const storedAddress = (): string | undefined => read().address;

/** The token that is stored for a service. */
export function storedToken(address: string): string | undefined {
  const { tokens } = read();
  return (Object.hasOwn(tokens, address) ? tokens[address] : undefined) ?? keychain()?.get(address);
}

/** Stores a token, in the system's keychain if there is one that works. Returns where. */
export function storeToken(address: string, token: string): "keychain" | "file" {
  const { tokens } = read();
  const isInKeychain = keychain()?.set(address, token) === true;
  const { [address]: _, ...others } = tokens;
  write({ address, tokens: isInKeychain ? others : { ...others, [address]: token } });
  return isInKeychain ? "keychain" : "file";
}

/** Removes a service's token. Returns whether there was one. */
export function removeToken(address: string): boolean {
  const { address: last, tokens } = read();
  const wasStored = storedToken(address) !== undefined;
  const { [address]: _, ...others } = tokens;
  keychain()?.remove(address);
  if (wasStored || last === address) write({ address: last, tokens: others });
  return wasStored;
}

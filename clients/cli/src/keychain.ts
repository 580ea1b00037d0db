import { spawnSync } from "node:child_process";

interface Keychain {
  get(address: string): string | undefined;
  /** Whether it worked. */
  set(address: string, token: string): boolean;
  remove(address: string): void;
}

/** A locked keychain asks its user. */
const PATIENCE_MS = 60_000;

/** The system's keychain, through its own program; undefined where there is none that a program can use. */
export function keychain(): Keychain | undefined {
  if (process.platform === "darwin") return macOs;
  // Without a session there is nobody to ask, and secret-tool waits.
  return process.platform === "linux" && process.env.DBUS_SESSION_BUS_ADDRESS ? secretService : undefined;
}

const secretService: Keychain = {
  get: (address) => output("secret-tool", ["lookup", "service", "latchkey", "address", address]),
  set: (address, token) =>
    output(
      "secret-tool",
      ["store", `--label=Latchkey (${address})`, "service", "latchkey", "address", address],
      token,
    ) !== undefined && secretService.get(address) === token,
  remove: (address) => void output("secret-tool", ["clear", "service", "latchkey", "address", address]),
};

const macOs: Keychain = {
  get: (address) => output("security", ["find-generic-password", "-s", "latchkey", "-a", address, "-w"]),
  // On standard input: the list of processes shows arguments.
  set: (address, token) =>
    output("security", ["-i"], `add-generic-password -U -s latchkey -a ${quoted(address)} -w ${quoted(token)}\n`) !==
      undefined && macOs.get(address) === token,
  remove: (address) => void output("security", ["delete-generic-password", "-s", "latchkey", "-a", address]),
};

const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** What a program prints, without the end of the line; undefined if it is missing or fails. */
function output(program: string, parameters: string[], input = ""): string | undefined {
  const { status, stdout } = spawnSync(program, parameters, {
    input,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return status === 0 ? stdout.replace(/\n$/, "") : undefined;
}

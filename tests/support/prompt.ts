import { spawn } from "node:child_process";

const SHELLS = { bash: ["--norc", "--noprofile", "-i"], zsh: ["-f", "-i"] };

export type Shell = keyof typeof SHELLS;

export function openPrompt(
  shell: Shell,
  environment: NodeJS.ProcessEnv,
): { paste(lines: string): Promise<string> } & Disposable {
  const child = spawn(shell, SHELLS[shell], {
    env: { ...environment, PS1: "", PS2: "", TERM: "dumb" },
    stdio: "pipe",
    detached: true,
  });
  let printed = "";
  let hear = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      printed += chunk;
      hear();
    });
  child.stdin.write("exec 2>&1\n");
  let pasted = 0;
  return {
    async paste(lines) {
      const [from, end] = [printed.length, `end of paste ${++pasted}`];
      child.stdin.write(`${lines}\necho 'end of'" paste ${pasted}"\n`);
      await new Promise<void>((resolve, reject) => {
        hear = () => printed.includes(end, from) && resolve();
        child.once("close", () => reject(new Error(`The shell ended:\n${printed}`)));
      });
      return printed.slice(from, printed.indexOf(end, from));
    },
    [Symbol.dispose]: () => void (child.exitCode === null && process.kill(-(child.pid ?? 0), "SIGKILL")),
  };
}

import { Command } from "@commander-js/extra-typings";

/** A command with an example in its help, and the option `--json`. */
export function command(name: string, description: string, example: string) {
  return new Command(name)
    .description(description)
    .option("--json", "Print JSON, for programs")
    .addHelpText("after", `\nExample:\n  latchkey ${example}`);
}

/** A command that only has others. */
export function group(name: string, description: string) {
  return new Command(name).description(description);
}

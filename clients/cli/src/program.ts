import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { plainLines } from "../../../lib/platform/safe-text";
import manifest from "../package.json";
import { login, logout, whoami } from "./account";
import { completion } from "./completion";
import { files } from "./files";
import { keys } from "./keys";
import { useProxies } from "./proxy";

/** Names this program in each request, as the service's operator sees it. */
function nameProgram(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (address, options) => {
    const headers = new Headers(options?.headers);
    headers.set("User-Agent", `latchkey-cli/${manifest.version}`);
    return send(address, { ...options, headers: [...headers] });
  };
}

/** The complete command. */
export function latchkeyProgram(): CommandUnknownOpts {
  const program: CommandUnknownOpts = new Command("latchkey")
    .description("Your keys and files at a Latchkey service")
    .version(manifest.version)
    .showSuggestionAfterError()
    .hook("preAction", useProxies)
    .hook("preAction", nameProgram)
    .addHelpText(
      "after",
      [
        "",
        "Example:",
        "  latchkey login https://keys.example.org && latchkey files pull ~/latchkey",
        "",
        "For machines: LATCHKEY_ADDRESS and LATCHKEY_TOKEN take the place of a sign-in.",
        "Exit status: 0 done, 1 failed, 2 bad usage, 3 sign in first, 4 refused, 5 not found, 6 try later, 130 stopped",
      ].join("\n"),
    );
  for (const one of [login, logout, whoami, keys, files, completion(() => program)]) program.addCommand(one);
  const quiet = (one: CommandUnknownOpts) => {
    one.exitOverride().configureOutput({ writeErr: (text) => process.stderr.write(plainLines(text)) });
    one.commands.forEach(quiet);
  };
  quiet(program);
  return program;
}

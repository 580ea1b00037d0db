import { pipeline } from "node:stream/promises";
import { exportDocument } from "@/lib/files/export";
import { findUser } from "@/lib/user";
import { answering, command } from "../command";
import { importFiles } from "../import-files";

export const fileCommands = [
  command("files:import", "Replace a user's files with a document", "files:import alice files.json")
    .description(
      "Replace a user's files with a document: all of it or nothing. Asks in a terminal before replacing files.",
    )
    .argument("<name>", "The username, in upper or lower case")
    .argument("<file>", "The document, as files:export writes it; - for standard input")
    .option("--skip", "Skip entries that cannot be imported, and list them")
    .option("--yes", "Replace files without asking")
    .action(answering(importFiles)),
  command("files:export", "Write the document that /read-files returns", "files:export alice >files.json")
    .argument("<name>", "The username, in upper or lower case")
    .action(
      answering(async (name) => {
        const { id } = await findUser(name);
        let isUnread = false;
        process.stdout.once("error", () => {
          isUnread = true;
        });
        await pipeline(await exportDocument(id), process.stdout, { end: false }).catch((error) => {
          throw isUnread ? new Error("The output was closed before the whole document was written.") : error;
        });
        process.stdout.write("\n");
        return undefined;
      }),
    ),
];

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/delete/{id}",
  summary: "Deletes a key for everyone who holds it.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z.object({ id: keyId }),
  response: confirmation.extend({ key: z.string() }),
  example: { parameters: { id: KEY }, response: { ...confirm("Key deleted successfully"), key: KEY } },
  errors: ["key_not_found", "not_creator"],
  change: ({ caller, subject: key }) => deleteKey(caller, key),
  respond: async ({ parameters }) => ({ ...confirm("Key deleted successfully"), key: parameters.id }),
});

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { changeable, confirm, confirmation, keyId, keyRecord } from "@/lib/keys/schema";
import { repeatedUpdate, updateKey } from "@/lib/keys/update";
import { aliceKey } from "../../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/name/{id}",
  summary: "Changes a key's name, as /keys/update does with key=name.",
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z.object({ id: keyId, name: changeable.name }),
  response: confirmation.extend(keyRecord.shape).extend({ changed: z.boolean() }),
  example: {
    parameters: { id: KEY, name: "Guest room" },
    response: { ...confirm("Key updated successfully"), ...aliceKey, name: "Guest room", changed: true },
  },
  errors: ["key_not_found", "not_creator"],
  change: ({ caller, subject: key, parameters }) => updateKey(caller, key, { field: "name", value: parameters.name }),
  again: (result, { caller }) => repeatedUpdate(caller, result),
  respond: async ({ result }) => ({ ...confirm("Key updated successfully"), ...result }),
});

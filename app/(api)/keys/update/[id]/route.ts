import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { CHANGEABLE, confirm, confirmation, keyId, keyRecord } from "@/lib/keys/schema";
import { readChange, repeatedUpdate, updateKey } from "@/lib/keys/update";
import { aliceKey } from "../../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/update/{id}",
  summary: `Changes a key's ${CHANGEABLE}.`,
  access: "change",
  caller: "token",
  find: keyInPath,
  parameters: z
    .object({
      id: keyId,
      key: z.string().describe(`The key's id (then data is its new data), or the field to change: ${CHANGEABLE}.`),
      data: z.string().optional().describe("The new value. Without it nothing changes."),
    })
    .superRefine((input) => void readChange(input)),
  response: confirmation.extend(keyRecord.shape).extend({ changed: z.boolean() }),
  example: {
    parameters: { id: KEY, key: "data", data: "another secret" },
    response: { ...confirm("Key updated successfully"), ...aliceKey, data: "another secret", changed: true },
  },
  errors: ["key_not_found", "not_creator", "key_limit"],
  change: ({ caller, subject: key, parameters }) => updateKey(caller, key, readChange(parameters)),
  again: (result, { caller }) => repeatedUpdate(caller, result),
  respond: async ({ result }) => ({
    ...confirm(result.changed ? "Key updated successfully" : "Nothing to change"),
    ...result,
  }),
});

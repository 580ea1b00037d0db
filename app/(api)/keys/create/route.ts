import { endpoint } from "@/lib/api/endpoint";
import { createKey } from "@/lib/keys/create";
import { confirm, confirmation, keyRecord, newKey } from "@/lib/keys/schema";
import { aliceKey } from "../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/create",
  summary: "Creates a key that carries a secret string and a price.",
  access: "change",
  caller: "token",
  parameters: newKey,
  response: confirmation.extend(keyRecord.shape),
  example: {
    parameters: { data: "the secret", price: "1.5", name: "Spare room" },
    response: { ...confirm("Key created successfully"), ...aliceKey },
  },
  errors: ["key_limit"],
  change: ({ caller, parameters }) => createKey(caller, parameters),
  again: (record, { parameters }) => ({ ...record, data: parameters.data }),
  respond: async ({ result }) => ({ ...confirm("Key created successfully"), ...result }),
});

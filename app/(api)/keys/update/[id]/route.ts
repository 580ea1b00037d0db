import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { KEY } from "@/lib/http/example-values";
import { confirm, confirmation, keyId, keyRecord } from "@/lib/keys/schema";
import { readChange } from "@/lib/keys/update";
import { changeInPath } from "@/lib/keys/update-by-token";
import { aliceKey } from "../../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/update/{id}",
  summary: "Changes a key's data, name or price.",
  access: "change",
  caller: "token",
  find: changeInPath(readChange),
  parameters: z
    .object({
      id: keyId,
      key: z
        .string()
        .describe("The key's id (then data is its new data), or the field to change: data, name or price."),
      data: z.string().optional().describe("The new value. Without it nothing changes."),
    })
    .superRefine((sent) => void readChange(sent)),
  response: confirmation.extend(keyRecord.shape).extend({ changed: z.boolean() }),
  example: {
    parameters: { id: KEY, key: "data", data: "another secret" },
    answer: { ...confirm("Key updated successfully"), ...aliceKey, data: "another secret", changed: true },
  },
  errors: ["key_not_found", "not_creator", "key_limit"],
  answer: async ({ caller, found: change }) => {
    const record = await change(caller);
    return { ...confirm(record.changed ? "Key updated successfully" : "Nothing to change"), ...record };
  },
});

import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { KEY } from "@/lib/api/example-values";
import { keyInPath } from "@/lib/keys/access";
import { recordFor } from "@/lib/keys/record";
import { keyId, keyRecord } from "@/lib/keys/schema";
import { aliceKey } from "../../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/get/{id}",
  summary: "Returns a key. Only its holders can read its data.",
  access: "read",
  caller: "token",
  needs: "read",
  find: keyInPath,
  parameters: z.object({ id: keyId }),
  response: keyRecord,
  example: { parameters: { id: KEY }, response: aliceKey },
  errors: ["key_not_found", "data_damaged"],
  respond: ({ caller, subject: key }) => recordFor(caller, key),
});

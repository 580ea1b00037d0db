import { z } from "zod";
import { KEY } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { findAs } from "@/lib/keys/find";
import { recordFor } from "@/lib/keys/record";
import { keyId, keyRecord } from "@/lib/keys/schema";
import { aliceKey } from "../../example";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/get/{id}",
  summary: "Shows a key; its data only to who holds it.",
  access: "read",
  caller: "tokenHash",
  parameters: z.object({ id: keyId }),
  response: keyRecord,
  example: { parameters: { id: KEY }, answer: aliceKey },
  errors: ["key_not_found"],
  answer: async ({ caller, parameters, isFor }) => {
    const { viewer, row } = await findAs(caller, parameters.id);
    isFor(viewer.id);
    return recordFor(viewer, row);
  },
});

import { z } from "zod";
import { KEY } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";
import { deleteKey } from "@/lib/keys/delete";
import { findAs } from "@/lib/keys/find";
import { confirm, confirmation, keyId } from "@/lib/keys/schema";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/keys/delete/{id}",
  summary: "Deletes a key for everybody who holds it.",
  access: "change",
  caller: "tokenHash",
  parameters: z.object({ id: keyId }),
  response: confirmation.extend({ key: z.string() }),
  example: { parameters: { id: KEY }, answer: { ...confirm("Key deleted successfully"), key: KEY } },
  errors: ["key_not_found", "not_creator"],
  answer: async ({ caller, parameters, isFor }) => {
    const { viewer, row } = await findAs(caller, parameters.id);
    isFor(viewer.id);
    await deleteKey(viewer, row);
    return { ...confirm("Key deleted successfully"), key: row.id };
  },
});

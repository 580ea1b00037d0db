import { z } from "zod";
import type { Caller } from "@/lib/accounts/identity/user";
import { endpoint } from "@/lib/api/endpoint";
import { ALICE, ALICE_ID, TIME } from "@/lib/api/example-values";
import { ACCESSES } from "@/lib/platform/access";
import { identity, overview, overviewOf } from "@/lib/user-data/overview";

const tokenInUse = z
  .object({
    name: z.string().nullable().describe("null for the account's token."),
    access: z.enum(ACCESSES),
    expiresAt: z.iso.datetime().nullable().describe("null: it does not expire."),
  })
  .describe("The token of this request.");

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/me",
  summary: "Returns the token's user, and how much they have stored.",
  access: "read",
  caller: "token",
  needs: "identity",
  parameters: z.object({}),
  response: z.union([
    identity.extend({ ...overview.shape, token: tokenInUse }),
    identity.describe("With a token whose access is identity."),
  ]),
  example: {
    response: {
      id: ALICE_ID,
      username: ALICE,
      role: "user",
      createdAt: TIME,
      keys: 1,
      files: { entries: 0, bytes: 0 },
      token: { name: null, access: "everything", expiresAt: null },
    },
  },
  async respond({ caller }) {
    const { id, username, role, accessToken } = caller;
    if (accessToken?.access === "identity") return { id, username, role };
    return { id, ...(await overviewOf(id)), token: present(caller) };
  },
});

function present({ accessToken: token }: Caller): z.infer<typeof tokenInUse> {
  if (!token) return { name: null, access: "everything", expiresAt: null };
  return { name: token.name, access: token.access, expiresAt: token.expiresAt?.toISOString() ?? null };
}

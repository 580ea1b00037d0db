import { z } from "zod";
import type { Caller } from "@/lib/accounts/user";
import type { Route } from "@/lib/api/declaration";
import { endpoint } from "@/lib/api/endpoint";
import { ALICE, TIME } from "@/lib/api/example-values";
import { ACCESSES } from "@/lib/platform/access";
import { identity, overview, overviewOf } from "@/lib/user-data/overview";

const tokenInUse = z
  .object({
    name: z.string().nullable().describe("null for the account's token."),
    access: z.enum(ACCESSES),
    expiresAt: z.iso.datetime().nullable().describe("null: it does not expire."),
  })
  .describe("The token of this request.");

/**
 * The route that returns a token's user, under one of its names. It takes only the token: no other service's password.
 */
export function userRoute(path: string, summary: string): Route {
  return endpoint({
    path,
    summary,
    access: "read",
    caller: "token",
    needs: "identity",
    parameters: z.object({}),
    response: z.union([
      overview.extend({ token: tokenInUse }),
      identity.describe("With a token whose access is identity."),
    ]),
    example: {
      response: {
        username: ALICE,
        role: "user",
        createdAt: TIME,
        keys: 1,
        files: { entries: 0, bytes: 0 },
        token: { name: null, access: "everything", expiresAt: null },
      },
    },
    async respond({ caller }) {
      const { username, role, accessToken } = caller;
      if (accessToken?.access === "identity") return { username, role };
      return { ...(await overviewOf(caller.id)), token: present(caller) };
    },
  });
}

function present({ accessToken: token }: Caller): z.infer<typeof tokenInUse> {
  if (!token) return { name: null, access: "everything", expiresAt: null };
  return { name: token.name, access: token.access, expiresAt: token.expiresAt?.toISOString() ?? null };
}

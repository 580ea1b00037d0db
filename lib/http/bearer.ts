import { invalidToken, missingToken } from "@/lib/errors";
import { looksLikeToken } from "@/lib/tokens";
import { decoded, type Query } from "./query";

/**
 * The token that was sent, in the parameter `auth` or as a bearer token. Throws 401 `missing_token`, and 401
 * `invalid_token` for one that is malformed, repeated, or in conflict with the other (contract, section 1: token).
 */
export function bearerToken(query: Query, headers: Headers): string {
  const values = query.get("auth")?.map(decoded);
  const authorization = headers.get("authorization") ?? "";
  // Sliced, not matched: a pattern with whitespace on both sides takes minutes for a header of nothing but spaces.
  const bearer = /^Bearer /i.test(authorization) ? authorization.slice("Bearer ".length).trim() : undefined;
  if (values === undefined && bearer === undefined) throw missingToken();
  if (values?.length === 1 && values[0] === "" && bearer === undefined) throw missingToken();
  const sent = values ? values[0] : bearer;
  const contradicted = values !== undefined && (values.length > 1 || (bearer !== undefined && bearer !== sent));
  if (sent === undefined || contradicted || !looksLikeToken(sent)) throw invalidToken();
  return sent;
}

import { requestPath } from "@/lib/api/samples";

/** The command for one API request, to copy. It contains TOKEN in place of the token. */
export function shellCommand(origin: string, path: string, parameters: Record<string, string> = {}): string {
  return `curl -H "Authorization: Bearer TOKEN" "${origin}${requestPath(path, parameters)}"`;
}

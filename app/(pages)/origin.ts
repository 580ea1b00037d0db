import { headers } from "next/headers";
import { originOf } from "@/lib/platform/network/host";

/** The address under which this page was opened, for commands to paste. */
export async function pageOrigin(): Promise<string> {
  return originOf({ headers: await headers() });
}

import { actionId } from "./action-id";
import { type Answer, sendTo } from "./request";

interface Calling {
  /** The address that people open, if it is another one. */
  origin?: string;
  /** The page whose script calls it, if that is somebody else's. */
  from?: string;
  cookie?: string;
  network?: string;
  /** A part of the path of the action's file, if two have an action of that name. */
  file?: string;
  headers?: Record<string, string>;
}

export function callAction(
  url: string,
  page: string,
  name: string,
  args: unknown[],
  { origin = url, from = origin, cookie, network, file, headers: further }: Calling = {},
): Promise<Answer> {
  const body = JSON.stringify(args);
  const headers = {
    "Next-Action": actionId(name, file),
    Accept: "text/x-component",
    Origin: from,
    Host: new URL(origin).host,
    "Content-Type": "text/plain;charset=UTF-8",
    "Content-Length": String(Buffer.byteLength(body)),
    ...(cookie && { Cookie: cookie }),
    ...further,
  };
  return sendTo(url, page, { method: "POST", headers, body, network });
}

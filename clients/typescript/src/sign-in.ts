import { LatchkeyError } from "./errors";
import { type IssuedCode, type LinkOptions, requestCode, waitForToken } from "./link";
import type { Connection } from "./request";

/** `access` is `identity` if left out. Of a page, the user sees its host instead of `name`. */
export interface SignInOptions extends Omit<LinkOptions, "name" | "onCode"> {
  /** Shows the code, if the browser blocks the window, or the window cannot tell which page has opened it. */
  onCode?: LinkOptions["onCode"];
}

const FEATURES = "popup,width=480,height=720";
/** How long a window may take to appear and respond before the letters are shown, too. */
const PATIENCE_MS = 10_000;

/** Links the page that calls this, by a window in which the user presses once. Resolves with the token. */
export async function signIn(
  connection: Connection,
  { onCode, access = "identity", audience, signal }: SignInOptions,
): Promise<string> {
  // Before anything is awaited: browsers open a window only while a press is being handled.
  const popup = openWindow(connection);
  if (!popup && !onCode) throw new LatchkeyError("window_blocked", "No window was opened.");
  const over = new AbortController();
  try {
    const connect = popup && introduce(popup, connection, over.signal);
    const issued = await requestCode(connection, { access, audience, signal });
    connect?.(issued, () => onCode?.(issued.shown));
    if (!connect) onCode?.(issued.shown);
    return await waitForToken(connection, issued, signal);
  } catch (error) {
    popup?.close();
    throw error;
  } finally {
    over.abort();
  }
}

/** A page that hides where it is from gets none: its browser could not say who opened it. */
const openWindow = ({ address }: Connection) =>
  globalThis.origin === "null" ? null : globalThis.open?.(`${address}/link?popup=1`, "_blank", FEATURES);

/**
 * Tells the window the code and its secret, whenever it asks: only the service's own page can read them, and its
 * browser says who sent them. Returns what to call once there is a code; `show` shows the letters, if it comes to that.
 */
function introduce(popup: Window, { address }: Connection, signal: AbortSignal) {
  const { origin } = new URL(address);
  let isReady = false;
  let tell = () => {};
  let show = () => {};
  let timer: ReturnType<typeof setTimeout>;
  const receive = ({ source, origin: sender, data }: MessageEvent) => {
    if (source !== popup || sender !== origin) return;
    isReady = true;
    clearTimeout(timer);
    if (data?.latchkey === "ready") tell();
    if (data?.latchkey === "refused") show();
  };
  addEventListener("message", receive, { signal });
  return ({ shown: { code }, secret }: IssuedCode, showLetters: () => void) => {
    tell = () => popup.postMessage({ latchkey: "code", code, secret }, origin);
    show = showLetters;
    if (isReady) tell();
    else timer = setTimeout(() => signal.aborted || show(), PATIENCE_MS);
  };
}

import { spawn } from "node:child_process";

/** Opens a page in the user's browser, if there is one at this screen. Returns whether it was tried. */
export function openBrowser(page: string): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  if (!process.stderr.isTTY || SSH_CONNECTION) return false;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return false;
  const [program, ...parameters] = (
    { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] } as Record<string, [string, ...string[]]>
  )[process.platform] ?? ["xdg-open"];
  // Without such a program, the user opens the printed address.
  spawn(program, [...parameters, page], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
  return true;
}

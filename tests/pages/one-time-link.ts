import type { Page } from "playwright";
import { env } from "@/lib/platform/env";
import { origin } from "@/tests/support/http";
import { press } from "./on-page";

/** Makes a link as the admin command of this service would, which has its address. */
export async function atThisService<Made>(make: () => Promise<Made>): Promise<Made> {
  const before = env.NEXTAUTH_URL;
  env.NEXTAUTH_URL = origin;
  try {
    return await make();
  } finally {
    env.NEXTAUTH_URL = before;
  }
}

/** Opens a link, presses the button that sends its secret, and waits until all of this is told there. */
export async function openLink(page: Page, link: string, ...then: Parameters<typeof press>[2][]): Promise<void> {
  await page.goto(link);
  await press(page, "Continue", ...then);
}

import { env } from "@/lib/env";
import { origin } from "@/tests/support/http";

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

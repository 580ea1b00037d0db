import { authSecrets } from "@/lib/platform/crypto/secrets";

try {
  console.log(authSecrets().join(" "));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

import { rotateSecrets } from "@/lib/auth/rotate-secrets";
import { type Consent, type RestoredBackup, restoreBackup } from "@/lib/backup/restore";

/**
 * Restores a backup, as `restoreBackup` does. If it came from a service with another secret, stores its tokens and data
 * keys under that of this machine, so that the other is not needed again. If that is interrupted, the service refuses
 * to start until the restore is repeated.
 */
export async function restoreUnderOwnSecret(
  file: string,
  consent: Consent,
  onProgress: (part: number) => void,
): Promise<RestoredBackup> {
  const restored = await restoreBackup(file, consent, onProgress);
  if (restored.isUnderOtherSecret) await rotateSecrets(false, onProgress);
  return restored;
}

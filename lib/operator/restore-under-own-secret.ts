import { rotateSecrets } from "@/lib/auth/rotate-secrets";
import { type Consent, type RestoredBackup, restoreBackup } from "@/lib/backup/restore";

/**
 * Restores a backup, as `restoreBackup` does. If it came from a service with another secret, stores its tokens and data
 * keys under that of this machine, so that the other is not needed again. Tokens that were damaged in the backup
 * already are replaced: `newTokens` is how many. If this is interrupted, the service refuses to start until the restore
 * is repeated.
 */
export async function restoreUnderOwnSecret(
  file: string,
  consent: Consent,
  onProgress: (part: number) => void,
): Promise<RestoredBackup & { newTokens: number }> {
  const restored = await restoreBackup(file, consent, onProgress);
  const { newTokens } = restored.isUnderOtherSecret ? await rotateSecrets(true, onProgress) : { newTokens: 0 };
  return { ...restored, newTokens };
}

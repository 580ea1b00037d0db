import { env } from "@/lib/env";
import { isBesideData, secretPlace, secretSource } from "@/lib/secret-source";

const SOURCES = {
  AUTH_SECRET: "AUTH_SECRET",
  AUTH_SECRET_FILE: "AUTH_SECRET_FILE",
  credential: "a credential of systemd",
  container: "a secret of the container",
  "data folder": "a file of the data folder",
};

/** Where the secret is, and what that protects from, in one sentence. */
export function whereSecretIs(): string {
  const { from, file } = secretSource();
  const place = file ? `${secretPlace()} (${SOURCES[from]})` : SOURCES[from];
  return isBesideData()
    ? `The secret in ${place} lies beside the data that it opens: whoever takes the folder has both.`
    : `The secret comes from ${place}, apart from ${env.DATABASE_URL ? "the database" : "the data folder"}: ` +
        "whoever takes the data without it can read nothing that is sealed.";
}

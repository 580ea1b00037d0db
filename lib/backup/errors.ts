/** The database holds accounts, and nobody agreed to replace them. */
export class NotEmpty extends Error {
  override message = "The database already has accounts. Use --replace to delete them and restore the backup instead.";
}

/** libpq's values of sslmode, and node-postgres's own. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full", "no-verify"];

/** A schema's name that needs no thought: PostgreSQL keeps 63 bytes of a name. */
const SCHEMA = /^[^\0"]{1,63}$/;

/**
 * An address for each host of a PostgreSQL address, which may have several, as libpq takes it, and as `new URL` does.
 * libpq also allows an empty host behind a user (a socket, or this machine), which no other address may have.
 */
export function addressesIn(address: string): [string, ...string[]] {
  const [, user = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  const [first, ...others] = hosts
    .split(",")
    .map((host) => `${user}${host || (user.endsWith("@") ? "localhost" : "")}${rest}`);
  return [user === "" ? address : String(first), ...others];
}

/** The first of these. */
export const asUrl = (address: string) => addressesIn(address)[0];

/** The host that an address leads to, as libpq takes it: a name, or the folder of a socket. */
export function hostIn(address: string): string {
  const { hostname, searchParams } = new URL(asUrl(address));
  return searchParams.get("host") || decodeURIComponent(hostname) || "localhost";
}

/** What is wrong with the address of a PostgreSQL server, as "must ..."; undefined if we connect as libpq would. */
export function wrongInAddress(address: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(address))
    return "must start with postgresql:// (leave it unset for the embedded database)";
  if (!addressesIn(address).every((one) => URL.canParse(one)))
    return "must be an address like postgresql://user:password@host/database, the password percent-encoded";
  const { username, password, hostname, pathname, searchParams } = new URL(asUrl(address));
  if (![username, password, hostname, pathname].every(isDecodable))
    return "must be percent-encoded: in a user, password, host or database, write % as %25";
  const sslmode = searchParams.get("sslmode");
  if (sslmode === "prefer" || sslmode === "allow")
    return (
      `must not have sslmode=${sslmode}, which lets anyone on the way switch encryption off: ` +
      "set sslmode=verify-full, or sslmode=disable for a server without TLS"
    );
  if (sslmode !== null && !SSL_MODES.includes(sslmode)) return `must have an sslmode among ${SSL_MODES.join(", ")}`;
  if (sslmode === "verify-ca" && !searchParams.get("sslrootcert"))
    return "must name the authority's certificate with sslrootcert=/path/to/ca.pem for sslmode=verify-ca";
  const schema = searchParams.get("schema");
  if (schema !== null && !SCHEMA.test(schema)) return "must name a schema of 1 to 63 characters without quotes";
  return undefined;
}

/** Every % begins a byte in hexadecimal, and the bytes are UTF-8. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

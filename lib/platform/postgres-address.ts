/** libpq's values of sslmode, and node-postgres's own. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full", "no-verify"];

/** A schema's name that needs no thought: PostgreSQL keeps 63 bytes of a name. */
const SCHEMA = /^[^\0"]{1,63}$/;

/**
 * An address for each host of a PostgreSQL address, which may have several, as libpq takes it, and as `new URL` does:
 * `db1,db2:5433`, or `?host=db1,db2&port=5432,5433`. libpq also allows an empty host behind a user (a socket, or this
 * machine), which no other address may have.
 */
export function addressesIn(address: string): [string, ...string[]] {
  const [, user = "", authority = "", path = "", query = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/s.exec(address) ?? [];
  const written = authority.split(",");
  const named = listIn(query, "host");
  const ports = listIn(query, "port");
  const hosts = named.length > 0 ? named : written;
  const [first, ...others] = hosts.map((host, index) => {
    const own = new URLSearchParams(query);
    if (named.length > 0) own.set("host", host || "localhost");
    if (ports.length === hosts.length) own.set("port", String(ports[index]));
    const place = (named.length > 0 ? written[0] : host) || (user.endsWith("@") ? "localhost" : "");
    return `${user}${place}${path}${hosts.length > 1 ? `?${own}` : query}`;
  });
  return [user === "" ? address : String(first), ...others];
}

function listIn(query: string, name: string): string[] {
  const list = new URLSearchParams(query).get(name);
  return list ? list.split(",") : [];
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
  const all = addressesIn(address);
  if (!all.every((one) => URL.canParse(one)))
    return "must be an address like postgresql://user:password@host/database, the password percent-encoded";
  if (!all.every(isPercentEncoded))
    return "must be percent-encoded: in a user, password, host or database, write % as %25";
  const { searchParams } = new URL(all[0]);
  if (!all.every((one) => isPort(new URL(one).searchParams.get("port") ?? "")))
    return "must have one port, or one for each host";
  const target = searchParams.get("target_session_attrs");
  if (target !== null && target !== "read-write" && target !== "primary")
    return (
      `must not have target_session_attrs=${target}: of several hosts, the one that accepts writes is used ` +
      "(read-write or primary)"
    );
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
function isPercentEncoded(address: string): boolean {
  const { username, password, hostname, pathname } = new URL(address);
  try {
    return [username, password, hostname, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** As in the parameter of that name, which may also be empty: the default. */
const isPort = (text: string) => /^\d{0,5}$/.test(text) && Number(text) < 65_536;

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The samples of docs/operations.md by the language of their blocks. */
export function sample(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(readFileSync("docs/operations.md", "utf8"))?.[1];
  if (text === undefined) throw new Error(`docs/operations.md has no sample for ${language}.`);
  return text;
}

/** A self-signed certificate for keys.example.org in `folder`; HAProxy wants it and its key in one file. */
export function makeCertificate(folder: string): void {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=keys.example.org", "-addext", "subjectAltName=DNS:keys.example.org"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate, ...subject],
    {
      stdio: "ignore",
    },
  );
  writeFileSync(join(folder, "certificate-and-key.pem"), readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}

/** Each proxy with its sample, unchanged except for ports, paths and the source of its certificate. */
const PROXIES: Record<
  string,
  (folder: string, port: number, upstream: number) => [program: string, parameters: string[]]
> = {
  nginx(folder, port, upstream) {
    const site = sample("nginx")
      .replace("443 ssl", `127.0.0.1:${port} ssl`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    const placed = site.replaceAll("/etc/ssl/latchkey", folder).replaceAll("/var/log/nginx", folder);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(" ");
    writeFileSync(join(folder, "nginx.conf"), `pid ${folder}/pid; events {} http { ${temporary}\n${placed}\n}`);
    return [
      "nginx",
      ["-p", folder, "-e", join(folder, "errors"), "-c", join(folder, "nginx.conf"), "-g", "daemon off;"],
    ];
  },
  haproxy(folder, port, upstream) {
    const placed = sample("haproxy")
      .replace("bind :443", `bind 127.0.0.1:${port}`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    writeFileSync(join(folder, "haproxy.cfg"), placed.replaceAll("/etc/ssl/latchkey", folder));
    return ["haproxy", ["-f", join(folder, "haproxy.cfg")]];
  },
  caddy(folder, port, upstream) {
    const site = sample("caddy").replace(
      "keys.example.org {",
      `keys.example.org:${port} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
    );
    const placed = site.replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${placed}`);
    return ["caddy", ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")]];
  },
};

export const proxyNames = Object.keys(PROXIES);

/** Starts a proxy on `port` of 127.0.0.1 in front of `upstream`. Its files are in `folder`. */
export function startProxy(name: string, folder: string, port: number, upstream: number): ChildProcess {
  mkdirSync(folder, { recursive: true });
  makeCertificate(folder);
  const [program, parameters] = PROXIES[name]?.(folder, port, upstream) ?? ["", []];
  return spawn(program, parameters, {
    stdio: "ignore",
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder },
  });
}

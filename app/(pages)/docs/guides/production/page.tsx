import { CommandLine } from "@/components/copy-button";
import { ADDRESS_BYTES } from "@/lib/platform/bounds";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { Example } from "../../samples";

const PROXIES = [
  ["nginx", "nginx.conf"],
  ["HAProxy", "haproxy.cfg"],
  ["Caddy", "Caddyfile"],
] as const;

export const metadata = { title: titleOf("/docs/guides/production") };

export default async function ProductionGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage path="/docs/guides/production">
      <p>
        One machine with Node.js 20.19 or later is enough: the database is built in. By the end of this page, the
        service will run behind TLS, with backups and monitoring.
      </p>
      <ol className={styles.steps}>
        <li>
          <p>
            <strong>Give it a host name of its own</strong>, like <code>keys.example.org</code>. It can't run under a
            path of another site.
          </p>
        </li>
        <li>
          <p>
            <strong>Set three variables.</strong> They make the service accept connections only from a proxy on the same
            machine, and tell it the address that people open.
          </p>
          <Example name="production.env" />
        </li>
        <li>
          <p>
            <strong>Start it</strong> under any supervisor. The first start builds for about a minute. It stops
            gracefully on SIGTERM.
          </p>
          <CommandLine command="npm ci && npm start" />
        </li>
        <li>
          <p>
            <strong>Put a proxy with TLS in front.</strong> It must set <code>X-Forwarded-For</code>, <code>-Host</code>{" "}
            and <code>-Proto</code> itself, accept URLs of {ADDRESS_BYTES / 1_024} KB, pass on bodies of any length as
            they arrive, and keep query strings out of its log. These configurations do, and are tested:
          </p>
          {PROXIES.map(([name, file]) => (
            <details key={file}>
              <summary>{name}</summary>
              <Example name={file} />
            </details>
          ))}
        </li>
        <li>
          <p>
            <strong>Check it.</strong> The first command tests the configuration and what is stored; the second is for a
            load balancer, and returns 200 as soon as the service accepts writes.
          </p>
          <CommandLine command="./latchkey doctor" />
          <CommandLine command={`curl ${origin}/ready`} output={'{"status":"ready"}'} />
        </li>
        <li>
          <p>
            <strong>Back it up</strong> every day, while the service is running, and copy the file elsewhere. Keep it
            secret: it contains everything.
          </p>
          <CommandLine command='./latchkey backup "latchkey-$(date +%F).backup"' />
        </li>
        <li>
          <p>
            <strong>Watch it.</strong> Set <code>METRICS_TOKEN</code> and let Prometheus read{" "}
            <a href="/docs#metrics">/metrics</a>. Each log line has the id that its response had in{" "}
            <code>X-Request-Id</code>.
          </p>
        </li>
      </ol>
      <h2>When one machine isn't enough</h2>
      <ul className={styles.steps}>
        <li>
          <strong>PostgreSQL</strong>: set <code>DATABASE_URL</code> and <code>AUTH_SECRET</code>. Any number of
          processes and machines can share it.
        </li>
        <li>
          <strong>Docker</strong>: in the folder of the source, <code>docker compose up</code> runs the service with
          PostgreSQL.
        </li>
        <li>
          <strong>Who may sign up</strong>: <code>ALLOW_SIGNUP=false</code> closes the sign-up page. Operators then
          create users with the admin command.
        </li>
      </ul>
    </DocsPage>
  );
}

import { TextInput } from "@/components/form";
import { Panel } from "@/components/page";
import { DataTable } from "@/components/table";
import { type Unsafe, unsafeSettings } from "@/lib/operator/doctor/unsafe-settings";
import { matchingSettings, type Setting, settingsBySection } from "@/lib/operator/settings";
import { consolePage, consoleTitle, FilterForm, SameCommand } from "../console-page";
import { Findings } from "../doctor";
import styles from "./settings.module.css";
import { SigningKeys } from "./signing-keys";

export const generateMetadata = () => consoleTitle("Settings");

export default consolePage("Settings", async ({ q = "" }) => {
  const input = q.slice(0, 100);
  const sections = matchingSettings(settingsBySection(), input);
  return (
    <>
      <p className="soft">
        The settings this process started with. To change one, set the variable in the environment or in the file .env,
        and restart.
      </p>
      <UnsafeList unsafe={await unsafeSettings()} />
      <FilterForm page="/admin/settings" isFiltered={input !== ""}>
        <TextInput
          type="search"
          name="q"
          label="Find a setting"
          defaultValue={input}
          maxLength={100}
          size="sm"
          autoComplete="off"
          spellCheck={false}
        />
      </FilterForm>
      {sections.length === 0 && <p className="soft">No setting's name or explanation contains this.</p>}
      {sections.length > 1 && (
        <nav className={styles.anchors} aria-label="Settings">
          {sections.map(({ heading }) => (
            <a key={heading} href={`#${anchorOf(heading)}`}>
              {heading}
            </a>
          ))}
        </nav>
      )}
      {sections.map(({ heading, groups }) => (
        <Panel key={heading} id={anchorOf(heading)} title={heading}>
          {groups.map(({ words, settings }) => (
            <div key={settings[0]?.name} className={styles.group}>
              <SettingsTable settings={settings} label={heading} />
              {words !== "" && <p className={`small ${styles.words}`}>{withCode(words)}</p>}
            </div>
          ))}
        </Panel>
      ))}
      <SigningKeys />
      <SameCommand commands={["doctor", "signing:rotate"]} />
    </>
  );
});

const anchorOf = (heading: string) => heading.toLowerCase().replace(/[^a-z]+/g, "-");

function UnsafeList({ unsafe }: { unsafe: Unsafe[] }) {
  if (unsafe.length === 0) return <p className="soft">No unsafe settings found.</p>;
  return (
    <Panel title="Unsafe settings">
      <Findings findings={unsafe} />
    </Panel>
  );
}

/** What is in backticks, as code. */
const withCode = (words: string) =>
  words.split("`").map((part, index) =>
    index % 2 === 1 ? (
      <code translate="no" key={part}>
        {part}
      </code>
    ) : (
      part
    ),
  );

const SOURCES: Record<Setting["source"], string> = {
  environment: "from the environment",
  default: "default",
  AUTH_SECRET_FILE: "from AUTH_SECRET_FILE",
  credential: "from systemd's credential auth_secret",
  container: "from /run/secrets/auth_secret",
  "data folder": "from DATA_DIR/secret",
};

function SettingsTable({ settings, label }: { settings: Setting[]; label: string }) {
  return (
    <DataTable
      label={label}
      className={styles.table}
      rows={settings}
      keyOf={({ name }) => name}
      columns={{
        name: { isName: true, cell: ({ name }) => <code translate="no">{name}</code> },
        value: { cell: Value },
        source: { className: "small", cell: Source },
      }}
    />
  );
}

function Value({ value }: Setting) {
  return value === null ? <span className="soft">not set</span> : <code translate="no">{value}</code>;
}

function Source({ value, source, default: usual }: Setting) {
  return (
    <>
      <span>{SOURCES[source]}</span>
      {source === "environment" && usual !== value && (
        <span> (default: {usual === null ? <span>not set</span> : <code translate="no">{usual}</code>})</span>
      )}
    </>
  );
}

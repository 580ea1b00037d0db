import type { Metadata } from "next";
import { CommandLine } from "@/components/command-line";
import { EntryIcon } from "@/components/files/entry-icon";
import { Space } from "@/components/files/space";
import { History } from "@/components/keys/history";
import { Price } from "@/components/keys/price";
import { LetterPlate } from "@/components/letter-plate";
import { AbilitiesOf } from "@/components/link/abilities";
import { CodePlate } from "@/components/link/code-plate";
import { Countdown } from "@/components/link/countdown";
import { Notice } from "@/components/notice";
import { Pager } from "@/components/pager";
import { Actions, Panel } from "@/components/panel";
import { ProgressBar } from "@/components/progress-bar";
import { RelativeTime } from "@/components/relative-time";
import { When } from "@/components/when";
import { Buttons } from "./buttons";
import { Fields } from "./fields";
import { Floating } from "./floating";
import styles from "./page.module.css";
import { UploadStates } from "./upload-states";

export const metadata: Metadata = { title: "Components" };

const TEXTS = ["display", "title", "section", "lead", "text", "small"];
const COLOURS = [
  "ground",
  "surface",
  "sunken",
  "ink",
  "ink-soft",
  "line",
  "line-strong",
  "accent",
  "accent-strong",
  "accent-soft",
  "brass",
  "brass-soft",
  "danger",
  "danger-soft",
];
const TYPES = [".png", ".json", ".txt", ".pdf", ".mp3", ".mp4", ".zip", ""];
const QUOTA = { entries: 10_000, bytes: 1_000_000_000 };
const AT = new Date(1_790_000_000_000);
const EVENTS: { action: string; detail: Record<string, string> }[] = [
  { action: "key.create", detail: {} },
  { action: "key.update", detail: { field: "price", from: "-1", to: "4.50" } },
  { action: "key.update", detail: { field: "data", through: "MyTool" } },
  { action: "key.add", detail: { user: "grace" } },
  { action: "key.revoke", detail: { user: "grace" } },
];

/** Every shared component in every state, to look at. Served by `npm run dev` only. */
export default function ComponentsPage() {
  return (
    <div className={styles.page}>
      <h1>Components</h1>
      <Panel title="Type">
        {TEXTS.map((name) => (
          <p key={name} style={{ fontSize: `var(--text${name === "text" ? "" : `-${name}`})` }}>
            {name}: Il1 O0 5S 8B, 1,234.50
          </p>
        ))}
        <table className={styles.figures}>
          <tbody>
            <tr>
              <td>First</td>
              <td>1,111.11</td>
            </tr>
            <tr>
              <td>Second</td>
              <td>8,888.88</td>
            </tr>
          </tbody>
        </table>
      </Panel>
      <Panel title="Colours">
        <ul className={styles.colours}>
          {COLOURS.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Buttons">
        <Buttons />
      </Panel>
      <Panel title="Fields">
        <Fields />
      </Panel>
      <Panel title="Notices">
        <Notice kind="error">The file couldn't be read. Choose another one.</Notice>
        <Notice kind="done">Your account and everything in it have been deleted.</Notice>
      </Panel>
      <Panel title="Dialogs and toasts">
        <Floating />
      </Panel>
      <Panel title="Commands, progress, lists, times">
        <CommandLine command="curl http://localhost:3000/link/code" answer={'{"code":"KMTRWB"}'} />
        <ProgressBar label="Running" done={0.4} />
        <ProgressBar label="Failed" done={0.7} state="failed" />
        <ProgressBar label="Full" done={1} state="full" />
        <Pager of="examples" page={2} size={20} total={1_234} hrefOf={(page) => `?page=${page}`} />
        <p>
          <When at={AT} />, <When at={AT} precise />, <RelativeTime at={AT} />, <RelativeTime at={new Date()} />
        </p>
        <Actions>
          <LetterPlate letters="KMTRWB" />
        </Actions>
      </Panel>
      <Panel title="Keys">
        <p>
          <Price price="4.50" />, <Price price="12" decimals={2} />, <Price price="-1" />
        </p>
        <History events={EVENTS.map((event, id) => ({ ...event, id, at: AT, actor: id === 3 ? null : "ada" }))} />
      </Panel>
      <Panel title="Links">
        <AbilitiesOf access="everything" />
        <AbilitiesOf access="read" />
        <AbilitiesOf access="identity" />
        <CodePlate letters="KMTRWB" />
        <CodePlate letters="KMTRWB" isDone />
        <p>
          Code expires in <Countdown seconds={598} />.
        </p>
      </Panel>
      <Panel title="Files">
        <p>
          <EntryIcon type="" isFolder />
          {TYPES.map((type) => (
            <EntryIcon key={type} type={type} isFolder={false} />
          ))}
        </p>
        <Space used={{ entries: 12, bytes: 20_000_000 }} quota={QUOTA} kept={0} />
        <Space used={{ entries: 9_900, bytes: 20_000_000 }} quota={QUOTA} kept={4_000_000} />
        <div className={styles.uploads}>
          <UploadStates />
        </div>
      </Panel>
    </div>
  );
}

import { Fact, Facts, KeyName, mostDecimals, Price } from "@/components/content";
import { CopyButton } from "@/components/copy-button";
import { SelectField, TextInput } from "@/components/form";
import { EmptyState, Panel } from "@/components/page";
import { DataTable, idBefore, PageLinks, Pager } from "@/components/table";
import { When } from "@/components/time";
import { readableBytes } from "@/components/words";
import type { Caller } from "@/lib/accounts/identity/user";
import { trailOf, trailOfDeleted } from "@/lib/keys/history";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list";
import { FIND_BY, type FindBy, type KeyFacts, type KeySearchPage, keyFacts, listAllKeys } from "@/lib/keys/operator";
import { orNull } from "@/lib/platform/errors";
import { DeleteKey } from "../../_keys/delete-key";
import { EVENTS_A_PAGE, HistoryPage } from "../../_keys/history-panel";
import { HolderForm } from "../../_keys/holders";
import { Person } from "../../names";
import styles from "../console.module.css";
import { consolePage, consoleTitle, FilterForm, OneHead, type Query, SameCommand } from "../console-page";
import { addHolderAsAdmin, deleteKeyAsAdmin, revokeHolderAsAdmin } from "./actions";

const SEARCH_OPTIONS: { value: FindBy | "id"; label: string }[] = [
  { value: "name", label: "Name begins with" },
  { value: "creator", label: "Created by" },
  { value: "holder", label: "Held by" },
  { value: "id", label: "Id" },
];

/** Finds keys by their name or their people, or one by its id. */
function FindKeys({ by, text }: { by: FindBy; text: string }) {
  return (
    <FilterForm page="/admin/keys" isFiltered={text !== ""} key={`${by} ${text}`}>
      <SelectField label="Find by" name="by" size="sm" data={SEARCH_OPTIONS} defaultValue={by} />
      <TextInput
        type="search"
        name="q"
        label="Name or id"
        size="sm"
        defaultValue={text}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FilterForm>
  );
}

/** Every key of the service, or those that are looked for. */
async function AllKeys({ query }: { query: Query }) {
  const by = FIND_BY.find((one) => one === query.by) ?? "name";
  const text = (query.q ?? "").trim().slice(0, 100);
  const listed = await listAllKeys(by, text, query.after);
  return (
    <Panel title={text === "" ? "All keys, latest first" : "Keys found"}>
      <FindKeys by={by} text={text} />
      {listed === null && <p className="soft">{`There is no user with the name “${text}”.`}</p>}
      {listed?.keys.length === 0 && <EmptyState picture="key" title={nothing(by, text, query.after !== undefined)} />}
      {listed && listed.keys.length > 0 && <KeyTable keys={listed.keys} />}
      <PageLinks
        of="keys"
        first={query.after !== undefined && { href: hrefOf(by, text), words: "First page" }}
        next={listed !== null && listed.next !== null && { href: hrefOf(by, text, listed.next), words: "Next" }}
      />
    </Panel>
  );
}

function nothing(by: FindBy, text: string, isLater: boolean): string {
  if (isLater) return "No more keys.";
  if (text === "") return "Nobody has created a key yet.";
  if (by === "name") return `No key's name begins with “${text}”.`;
  return by === "creator" ? `${text} has created no keys.` : `${text} holds no keys.`;
}

function hrefOf(by: FindBy, text: string, after?: string): string {
  const query = new URLSearchParams({ ...(text && { by, q: text }), ...(after && { after }) });
  return query.size > 0 ? `/admin/keys?${query}` : "/admin/keys";
}

function KeyTable({ keys }: { keys: KeySearchPage["keys"] }) {
  const decimals = mostDecimals(keys);
  return (
    <DataTable
      label="Keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={{
        name: { head: "Key", cell: ({ id, name }) => <KeyName id={id} name={name} page="/admin/keys" /> },
        creator: { head: "Creator", looks: "person", cell: ({ creator }) => <Person name={creator} /> },
        price: { head: "Price", looks: "number", cell: ({ price }) => <Price price={price} decimals={decimals} /> },
        data: { head: "Data", looks: "number wide", cell: ({ bytes }) => readableBytes(bytes) },
        created: { head: "Created", looks: "number wide", cell: ({ createdAt }) => <When at={createdAt} /> },
      }}
    />
  );
}

const LIST = { href: "/admin/keys", words: "All keys" };
const hrefOfKey = (id: string) => `/admin/keys?key=${id}`;

interface OneKeyProps {
  admin: Caller;
  keyId: string;
  query: Query;
}

/** One key without its data: its facts, its holders, its trail, and what an administrator may do with it. */
async function OneKey({ admin, keyId, query }: OneKeyProps) {
  const facts = await keyFacts(keyId);
  if (!facts) return <DeletedKey admin={admin} keyId={keyId} query={query} />;
  const [list, events] = await Promise.all([
    listHolders(admin, facts, { search: "", page: query.page ?? "" }),
    trailOf(admin, facts, { limit: EVENTS_A_PAGE + 1, before: idBefore(query.before) }),
  ]);
  const hrefOf = (page: number) => `${hrefOfKey(facts.id)}&page=${page}#holders`;
  return (
    <>
      <KeyHead facts={facts} />
      <Panel title="Holders">
        <div id="holders" className="stack">
          <HolderForm keyId={facts.id} holders={list.holders} add={addHolderAsAdmin} revoke={revokeHolderAsAdmin} />
          <Pager of="holders" page={list.page} size={HOLDERS_A_PAGE} total={list.total} hrefOf={hrefOf} />
        </div>
      </Panel>
      <HistoryPage events={events} isNewest={idBefore(query.before) === undefined} href={hrefOfKey(facts.id)} />
      <Panel title="Delete this key">
        <p className="soft">
          <span>
            {facts.holders === 1 ? "Its holder loses" : `All ${facts.holders.toLocaleString("en")} holders lose`}
          </span>{" "}
          access, and its data is erased. Its activity is kept.
        </p>
        <DeleteKey keyId={facts.id} name={facts.name} remove={deleteKeyAsAdmin} next={hrefOfKey(facts.id)} />
      </Panel>
      <SameCommand
        commands={[
          `key:show ${facts.id}`,
          `key:add ${facts.id} USERNAME`,
          `key:revoke ${facts.id} USERNAME`,
          `audit --key ${facts.id}`,
          `key:delete ${facts.id}`,
        ]}
      />
    </>
  );
}

function KeyHead({ facts }: { facts: KeyFacts }) {
  return (
    <OneHead list={LIST} name={<bdi translate="no">{facts.name.trim() || <i>Unnamed key</i>}</bdi>}>
      <div className={styles.id}>
        <code translate="no">{facts.id}</code>
        <CopyButton text={facts.id} label="Copy id" />
      </div>
      <Facts>
        <Fact name="Created by">
          <a href={`/admin/users?user=${facts.creator}`}>{facts.creator}</a>
        </Fact>
        <Fact name="Price">
          <Price price={facts.price} />
        </Fact>
        <Fact name="Data">{readableBytes(facts.bytes)}</Fact>
        <Fact name="Created">
          <When at={facts.createdAt} precise />
        </Fact>
        <Fact name="Changed">
          <When at={facts.updatedAt} precise />
        </Fact>
      </Facts>
    </OneHead>
  );
}

async function DeletedKey({ admin, keyId, query }: OneKeyProps) {
  const before = idBefore(query.before);
  const events = await trailOfDeleted(admin, keyId, { limit: EVENTS_A_PAGE + 1, before }).catch(orNull);
  return (
    <>
      <OneHead list={LIST} name={events ? "This key was deleted" : "There is no key with this id"}>
        {events ? (
          <code translate="no" className={styles.id}>
            {keyId}
          </code>
        ) : (
          <p className="soft">Check its 32 digits.</p>
        )}
      </OneHead>
      {events && <HistoryPage events={events} isNewest={before === undefined} href={hrefOfKey(keyId)} />}
    </>
  );
}

export const generateMetadata = () => consoleTitle("Keys");

/** One key if the address names one, otherwise all of them. Never the data of a key. */
export default consolePage("Keys", async (query, admin) => {
  const id = (query.key ?? (query.by === "id" ? query.q : ""))?.trim().toLowerCase();
  return id ? <OneKey admin={admin} keyId={id} query={query} /> : <AllKeys query={query} />;
});

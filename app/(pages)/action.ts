import { refresh } from "next/cache";
import { headers } from "next/headers";
import { z } from "zod";
import { ENDS, type TokenEnd } from "@/components/words";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import type { SignedIn } from "@/lib/accounts/session/current-user";
import { PROOF_NEEDED, requireRecentProof } from "@/lib/accounts/session/proof";
import { type ConfirmationMethods, confirmationMethods } from "@/lib/accounts/ways-in/confirm";
import { refusalOf } from "@/lib/api/refusal";
import { requireOperator } from "@/lib/operator/access";
import { ACCESSES } from "@/lib/platform/access";
import { STRANGERS_BYTES } from "@/lib/platform/bounds";
import { invalidParameter } from "@/lib/platform/errors";
import { clientNetwork } from "@/lib/platform/network/client";
import { originOf } from "@/lib/platform/network/host";
import type { Network } from "@/lib/platform/network/network";
import { noteBegun } from "@/lib/platform/request";
import { type NamedRequest, namedRequest, once } from "@/lib/platform/requests/results";
import { actor, requireOurOrigin, requireProofIfElsewhere } from "./visitor";

/** Why an action failed. */
export interface ActionFailure {
  error: string;
  /** What is wrong with which fields of its form, if it is about fields. */
  fields?: Record<string, string>;
  /** The code of a refusal of the service. */
  code?: string;
  /** The user must first confirm who they are, in one of these ways: `useAction` asks. */
  proof?: ConfirmationMethods;
  /** It may have been done nevertheless: the service or its database failed. */
  isUnsure?: boolean;
}

/** The result of an action for its page. */
export type Outcome<T> = { ok: T } | ActionFailure;

/** "elsewhere": only in a session that was opened on another network, because its cookie may be a stolen one. */
export type NeededProof = "none" | "elsewhere" | "recent";

type Actor = SignedIn & { request?: NamedRequest };

/**
 * "anyone": also strangers, and nobody is looked for. "user": the signed-in user for whom the page was made. Or an
 * administrator with a recent proof: for everybody else there is no such action, and `operator` is the name under which
 * their calls are recorded.
 */
type MayCall = "anyone" | "user" | { operator: string };

type Caller<Who extends MayCall> = Who extends "anyone" ? undefined : Actor;

/** Where a call comes from, and the address under which its page was opened. */
interface Arrival {
  network: Network;
  origin: string;
}

interface Declaration<Schema extends z.ZodType, Who extends MayCall, Result> {
  /** Default: "user". */
  who?: Who;
  /** The one argument. Without it, there is none. */
  input?: Schema;
  /** The input is what a person typed. A refusal's sentence begins with what this calls the field. */
  about?: (field: string) => string;
  proof?: NeededProof | ((input: z.output<Schema>, caller: Caller<Who>) => NeededProof | Promise<NeededProof>);
  /** The form's only field: refusals of the input are shown there. */
  field?: string;
  /** Throws what is wrong with another field, after a refusal that concerns this one. */
  also?: (input: z.output<Schema>, field: string) => Promise<void>;
  /**
   * Repeats of a press (`useAction`) are one request of this name, `caller.request`, which takes effect once. No other
   * action has it, nor can a request of the API.
   */
  once?: string;
  /** `run` stores by itself what the request came to. */
  storesResult?: boolean;
  /** Whether the page shows afterwards what has changed. "always": after a refusal, too, as it may be out of date. */
  refreshes?: boolean | "always";
  /** The longest body of a call, in bytes. */
  maxBytes?: number;
  run(input: z.output<Schema>, caller: Caller<Who>, arrival: Arrival): Promise<Result>;
}

/** An action of a page. `press`: the id of a press of its user, as `useAction` makes it. */
export interface PageAction<Input, Result> {
  (
    ...call: [Input] extends [undefined] ? [input?: undefined, press?: string] : [input: Input, press?: string]
  ): Promise<Outcome<Result>>;
  /** How much is read of a call before it comes here, and how much of a stranger's. In bytes. */
  limits: { bodyBytes: number; strangersBytes: number };
}

const USUAL_BYTES = 64 * 1_024;

/** Refusals of the input: bad, unknown, or in conflict. */
const ABOUT_INPUT = [400, 404, 409];

/**
 * Makes an action of a page from its declaration. Everything that all actions do alike happens here, in this order: our
 * own page calls it, it is for the caller, the input is valid, the proof is given; then `run`. A refusal returns its
 * sentence, and so does a full or unavailable database; any other fault is logged and returns a generic one.
 */
export function action<Result, Schema extends z.ZodType = z.ZodUndefined, Who extends MayCall = "user">(
  declaration: Declaration<Schema, Who, Result>,
): PageAction<z.input<Schema>, Result> {
  const { who = "user", field: onlyField, also, refreshes, maxBytes } = declaration;
  const call = async (argument?: unknown, press?: unknown): Promise<Outcome<Result>> => {
    noteBegun();
    let checkOthers = async (_field: string) => {};
    try {
      const requested = await headers();
      requireOurOrigin(requested);
      const arrival = { network: clientNetwork(requested), origin: originOf({ headers: requested }) };
      const user = await callerOf(who);
      if (refreshes === "always") refresh();
      const input = readInput(declaration, argument);
      if (also) checkOthers = (field) => also(input, field);
      const ok = await perform(declaration, { input, user, press }, arrival);
      if (refreshes === true) refresh();
      return { ok };
    } catch (thrown) {
      const failure = await failureOf(thrown, onlyField);
      const [field] = Object.keys(failure.fields ?? {});
      const other = field ? await checkOthers(field).then(() => undefined, failureOf) : undefined;
      return other?.fields ? { ...failure, fields: { ...failure.fields, ...other.fields } } : failure;
    }
  };
  const strangersBytes = who === "anyone" ? (maxBytes ?? STRANGERS_BYTES) : STRANGERS_BYTES;
  const limits = { bodyBytes: who === "anyone" ? strangersBytes : (maxBytes ?? USUAL_BYTES), strangersBytes };
  return Object.assign(call, { limits }) as PageAction<z.input<Schema>, Result>;
}

async function failureOf(thrown: unknown, onlyField?: string): Promise<ActionFailure> {
  const { message, field, status, code } = refusalOf(thrown, "an action failed");
  if (code === PROOF_NEEDED) return { error: message, proof: await confirmMethodsHere() };
  const about = field ?? (ABOUT_INPUT.includes(status) ? onlyField : undefined);
  const isUnsure = status >= 500;
  return { error: message, code, ...(about && { fields: { [about]: message } }), ...(isUnsure && { isUnsure }) };
}

async function callerOf(who: MayCall): Promise<SignedIn | undefined> {
  if (who === "anyone") return undefined;
  const user = await actor();
  if (who !== "user") await requireOperator(user, who.operator);
  return user;
}

interface Call<Input> {
  input: Input;
  /** Undefined: anyone. */
  user: SignedIn | undefined;
  press: unknown;
}

async function perform<Result, Schema extends z.ZodType, Who extends MayCall>(
  declaration: Declaration<Schema, Who, Result>,
  { input, user, press }: Call<z.output<Schema>>,
  arrival: Arrival,
): Promise<Result> {
  const { proof = "none", once: name, storesResult, run } = declaration;
  const needed = typeof proof === "function" ? await proof(input, user as Caller<Who>) : proof;
  if (user && needed === "recent") await requireRecentProof(user);
  if (user && needed === "elsewhere") await requireProofIfElsewhere(user);
  if (!user || name === undefined) return run(input, user as Caller<Who>, arrival);
  const request = { ...namedRequest(`${name} ${read(pressId, press)}`, [name, input]), isOfPage: true };
  const caller = { ...user, request };
  const work = () => run(input, caller as Caller<Who>, arrival);
  return storesResult ? work() : (await once(caller, work)).result;
}

const pressId = z.string().regex(/^[0-9a-f]{32}$/);
const nothing = z.undefined();

function readInput<Schema extends z.ZodType, Who extends MayCall, Result>(
  { input, about }: Declaration<Schema, Who, Result>,
  argument: unknown,
): z.output<Schema> {
  if (!input) return read(nothing, argument) as z.output<Schema>;
  return read(input, argument, about);
}

async function confirmMethodsHere(): Promise<ConfirmationMethods> {
  return confirmationMethods(await actor(), relyingParty(originOf({ headers: await headers() })));
}

// Arguments of an action are external input, whatever their types say.

/**
 * The validated input. Throws 400 `invalid_parameter`: only an outdated page, or no page at all, sends anything else.
 * With `about` it is what a person typed: then the sentence is about the first field that is refused, and begins with
 * what `about` calls it.
 */
export function read<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  about?: (field: string) => string,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  if (about && issue && field) throw invalidParameter(`${about(field)} ${issue.message}.`, field);
  throw invalidParameter(`This page is out of date${field && ` (${field})`}. Reload it.`);
}

/** A form with these fields. */
export const formOf = <Shape extends z.core.$ZodLooseShape>(fields: Shape) =>
  z
    .instanceof(FormData)
    .transform((form): unknown => Object.fromEntries(form))
    .pipe(z.object(fields));

// Not beside the words of the choices (components/words.ts): no page loads zod.

/** A form's field with an access. */
export const accessField = z.enum(ACCESSES);

/** A form's field with a choice of when a token expires. */
export const endField = z.enum(ENDS.map(({ value }) => value) as [TokenEnd, ...TokenEnd[]]);

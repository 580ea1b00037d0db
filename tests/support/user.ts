import { mintAccessToken, mintToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { type Answer, sendTo } from "./request";

export interface TestUser {
  id: string;
  username: string;
  token: string;
}

export function newSession(userId: string) {
  const now = new Date();
  return { id: newId(), userId, createdAt: now, expiresAt: new Date(now.getTime() + 3600_000), userAgent: "" };
}

export async function signedIn<User extends { id: string }>(user: User): Promise<User & { sessionId: string }> {
  const { id: sessionId } = await db.session.create({ data: newSession(user.id) });
  return { ...user, sessionId };
}

/** A unique username: `u` and 15 hex digits. */
export function newUsername(): string {
  return `u${newId().slice(0, 15)}`;
}

/** A separate user for a test, with a working token and no password. `set` replaces columns of its row. */
export async function makeUser(set: Partial<UserRow> = {}): Promise<TestUser> {
  const [user] = await makeUsers(1, set);
  if (!user) throw new Error("makeUsers(1) made none");
  return user;
}

export async function makeUsers(count: number, set: Partial<UserRow> = {}): Promise<TestUser[]> {
  const users = Array.from({ length: count }, () => newUser(set));
  await db.user.createMany({ data: users.map(({ row }) => row) });
  const own = process.env.TEST_TOKENS === "own" ? await tokensOfTheirOwn(users.map(({ row }) => row)) : [];
  return users.map(({ row, token }, n) => ({ id: row.id, username: row.username, token: own[n] ?? token }));
}

/** For the project that calls every route with a token of a program's own, with access to everything. */
async function tokensOfTheirOwn(users: UserRow[]): Promise<string[]> {
  const made = users.map(({ id, createdAt }) => ({ id, createdAt, ...mintAccessToken() }));
  await db.accessToken.createMany({
    data: made.map(({ id: userId, createdAt, hash }) => ({
      ...{ id: newId(), userId, name: "Test", nameKey: "test", access: "everything", hash },
      ...{ createdAt, startsAt: createdAt },
    })),
  });
  return made.map(({ token }) => token);
}

type UserRow = Parameters<typeof db.user.create>[0]["data"] & { id: string; username: string };

function newUser(set: Partial<UserRow>) {
  const id = set.id ?? newId();
  const username = set.username ?? newUsername();
  const { token, stored } = mintToken(id);
  const now = new Date();
  const usual = { id, username, usernameKey: username.toLowerCase(), role: "user", tokenAt: now, createdAt: now };
  return { token, row: { ...usual, ...stored, ...set } };
}

export async function postPassword(origin: string, username: string, password: string, network?: string) {
  const started = await sendTo(origin, "/api/auth/csrf", { network });
  const cookies = cookiesOf(started);
  const csrfToken = String(started.body?.csrfToken);
  const body = new URLSearchParams({ csrfToken, username, password, callbackUrl: origin, json: "true" }).toString();
  const headers = {
    Cookie: cookies,
    Origin: origin,
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": String(body.length),
  };
  const answer = await sendTo(origin, "/api/auth/callback/credentials", { method: "POST", headers, body, network });
  const error = new URL(String(answer.body?.url), origin).searchParams.get("error");
  return { status: answer.status, cookies: [cookies, cookiesOf(answer)].join("; "), error };
}

export async function signInByPassword(origin: string, username: string, password: string): Promise<string> {
  const { status, cookies } = await postPassword(origin, username, password);
  if (status !== 200 || !cookies.includes("session-token")) throw new Error(`Signing in failed with ${status}.`);
  return cookies;
}

export function cookiesOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
}

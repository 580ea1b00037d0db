// A client in one file, for browsers and Node. It depends on nothing.

/** Asks for a code and shows it; resolves with the user's token when the user has linked it, or null when the code has expired. */
export async function link(base, showCode, { signal } = {}) {
  const asked = await fetch(`${base}/link/code`, { signal });
  if (!asked.ok) throw new Error(`No code: ${(await asked.json()).error}`);
  const { code } = await asked.json();
  showCode(code, `${base}/link?code=${code}`);

  const giveUp = Date.now() + Number(asked.headers.get("Link-Expires-In") ?? 600) * 1000;
  let pause = Number(asked.headers.get("Link-Interval") ?? 2);
  while (Date.now() < giveUp) {
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    signal?.throwIfAborted();
    // A lost network is no answer: ask again.
    const answer = await fetch(`${base}/link/user?code=${code}`, { signal }).catch(() => undefined);
    const { linked, token } = (await answer?.json()) ?? {};
    if (linked) return token;
    pause = Math.max(pause, Number(answer?.headers.get("Retry-After") ?? 0));
  }
  return null;
}

/** Asks for something in the user's name. Throws with the sentence of the service where it refuses. */
export async function ask(base, path, token) {
  const answer = await fetch(`${base}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

/** Whether a user holds a key. Needs no token. */
export async function holdsKey(base, username, key) {
  const answer = await fetch(`${base}/keys/check/${encodeURIComponent(username)}?key=${encodeURIComponent(key)}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body.owned;
}

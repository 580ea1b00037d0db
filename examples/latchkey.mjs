// A client in one file, for browsers and Node. It depends on nothing.

/** Asks for a code and shows it; resolves with the user's token when the user has linked it, or null when nobody has in time. */
export async function link(base, showCode, { signal } = {}) {
  const asked = await request(base, "/link/code", { signal });
  if (!asked.ok) throw new Error(`No code: ${asked.body.error}`);
  const { code } = asked.body;
  showCode(code, `${base}/link?code=${code}`);

  const giveUp = Date.now() + Number(asked.headers.get("Link-Expires-In") ?? 600) * 1000;
  let pause = Number(asked.headers.get("Link-Interval") ?? 2);
  while (Date.now() < giveUp) {
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    signal?.throwIfAborted();
    // No answer: ask again, nothing is lost by that.
    const answer = await request(base, "/link/user", { signal, query: { code } }).catch(() => undefined);
    if (answer?.body.linked) return answer.body.token;
    pause = Math.max(pause, Number(answer?.headers.get("Retry-After") ?? 0));
  }
  return null;
}

/** Asks for something in the user's name. Throws with the sentence of the service where it refuses. */
export async function ask(base, path, token) {
  const { ok, body } = await request(base, path, { headers: { Authorization: `Bearer ${token}` } });
  if (!ok) throw new Error(body.error);
  return body;
}

/** Whether a user holds a key. Needs no token. */
export async function holdsKey(base, username, key) {
  const { ok, body } = await request(base, `/keys/check/${encodeURIComponent(username)}`, { query: { key } });
  if (!ok) throw new Error(body.error);
  return body.owned;
}

/** An answer with its body, refusals too. Throws with a sentence where there is none, or it is no JSON. */
async function request(base, path, { query, ...options } = {}) {
  try {
    const answer = await fetch(`${base}${path}${query ? `?${new URLSearchParams(query)}` : ""}`, options);
    return { ok: answer.ok, headers: answer.headers, body: await answer.json() };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new Error(`${base} does not answer as it should.`, { cause: error });
  }
}

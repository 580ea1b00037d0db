// A client in one file, for browsers and Node. It depends on nothing.

/**
 * Asks for a code and shows it; resolves with the user's token as soon as the user has linked it, or null when it was
 * denied or has expired. `name`: what the user sees the program called, up to 40 characters.
 */
export async function link(base, showCode, { name, signal } = {}) {
  const asked = await request(base, "/link/code", { signal, query: name && { name } });
  if (!asked.ok) throw new Error(`Couldn't get a code: ${asked.body.error}`);
  const { code } = asked.body;
  showCode(code, `${base}/link?code=${code}`);

  // The secret lets nobody else collect the token, and this program from any network.
  const headers = { Prefer: "wait=25", "Link-Secret": asked.headers.get("Link-Secret") };
  // No answer: ask again, nothing is lost by that.
  const wait = (path) => request(base, path, { signal, headers, query: { code } }).catch(() => undefined);
  const seconds = (answer, name, otherwise) => Number(answer?.headers.get(name) ?? otherwise);
  const giveUp = Date.now() + seconds(asked, "Link-Expires-In", 600) * 1000;
  while (Date.now() < giveUp) {
    let answer = await wait("/link/status");
    const status = answer?.body.status;
    if (status === "approved" || status === "collected") answer = await wait("/link/user");
    signal?.throwIfAborted();
    if (answer?.body.linked) return answer.body.token;
    if (answer && ["denied", "expired", "collected"].includes(status)) return null;
    if (answer?.headers.has("Preference-Applied")) continue;
    // The service did not wait, so this program does.
    const pause = Math.max(seconds(asked, "Link-Interval", 2), seconds(answer, "Retry-After", 0));
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
  }
  return null;
}

/** Asks for something in the user's name. Throws with the sentence and the status of the service where it refuses. */
export async function ask(base, path, token) {
  const { ok, status, body } = await request(base, path, { headers: { Authorization: `Bearer ${token}` } });
  if (!ok) throw Object.assign(new Error(body.error), { status });
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
    return { ok: answer.ok, status: answer.status, headers: answer.headers, body: await answer.json() };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new Error(`${base} did not respond as expected.`, { cause: error });
  }
}

/** The session of a page. */
export interface Session {
  readonly token: string;
  readonly user_id: string;
}

/**
 * The sign-in cookie (docs/credentials.md#sign-in-cookie), which scripts cannot read. These are the only requests that
 * send and accept cookies.
 */
const PATH = '/api/v1/auth/browser-session';
const TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_MS = 2_000;

/** Returns the session of the cookie; undefined without one. Repeats the request while the server cannot be reached. */
export async function resumeByCookie(): Promise<Session | undefined> {
  for (let attempt = 1; ; attempt++) {
    const response = await request(`${PATH}/resume`);
    if (response?.ok) {
      const { token, user_id } = (await response.json().catch(() => ({}))) as Partial<Session>;
      return token && user_id ? { token, user_id } : undefined;
    }
    void response?.body?.cancel(); // until then the browser keeps the request open
    if ((response && response.status < 500) || attempt === MAX_ATTEMPTS) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
}

/** Sets the cookie of a session. Without it, the session is that of its tab alone. */
export async function setCookie(token: string, stay_signed_in: boolean): Promise<void> {
  await request(PATH, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ stay_signed_in }),
    keepalive: true, // the page may leave at once
  });
}

/** Undefined if there was no response. */
async function request(path: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
      ...init,
    });
  } catch {
    return undefined;
  }
}

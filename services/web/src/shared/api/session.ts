import { signal } from '@preact/signals';
import { resumeByCookie, type Session, setCookie } from './sign-in-cookie.ts';

export type { Session } from './sign-in-cookie.ts';

const KEY = 'gatehouse.session';
/** Marks a tab that was signed out: the cookie of another tab does not sign it in again. */
const SIGNED_OUT = 'gatehouse.signed-out';
/** The session of the tab. If the browser blocks storage, a session lasts as long as its page. */
const TAB = tabStorage();
/** Tells other tabs that a session began or ended. */
const TABS = new BroadcastChannel('gatehouse.session');

/** Undefined if nobody is signed in, and until that is known. A tab keeps the account that it shows. */
export const session = signal<Session | undefined>(readStored());

/** Whether the page still asks by the cookie who is signed in. */
export const isResuming = signal(session.peek() === undefined && TAB?.getItem(SIGNED_OUT) == null);

/** Whether the server ended the session: signed out elsewhere, or too old. */
export const hasEnded = signal(false);

/** Whether the user is signing in right now: such a page follows no other tab. */
export const isSigningIn = signal(false);

if (isResuming.peek()) void resume();
removeFormerStorage();

/** Stores a new session in the tab, and sets the cookie for other tabs; `isKept`: until the user signs out. */
export function remember(opened: Session, isKept: boolean): void {
  adopt(opened);
  void setCookie(opened.token, isKept).then(() => TABS.postMessage('began'));
}

/** Removes a session that the server has ended. The sign-in form then says so. */
export function forgetEnded(): void {
  hasEnded.value = true;
  forget();
}

/** Removes the session of this page, also from storage. */
export function forget(): void {
  TAB?.removeItem(KEY);
  session.value = undefined;
}

/** Removes the session of this page. Its tab stays signed out until somebody signs in. */
export function leave(): void {
  store(SIGNED_OUT, 'yes');
  forget();
}

/** Tells other tabs that the server has ended a session, which may be theirs. */
export function tellEnded(): void {
  TABS.postMessage('ended');
}

/** Calls `check` when the session may have ended: another tab says so, or the page comes back to the front. */
export function onPossibleEnd(check: () => void): void {
  TABS.addEventListener('message', ({ data }) => data === 'ended' && check());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check());
  addEventListener('pageshow', ({ persisted }) => persisted && check());
}

TABS.addEventListener('message', ({ data }) => {
  if (data === 'began' && session.peek() === undefined && !isSigningIn.peek()) void resume();
});
// A page restored from the back/forward cache has missed changes.
addEventListener('pageshow', ({ persisted }) => {
  const stored = readStored();
  if (persisted && TAB !== undefined && stored?.token !== session.peek()?.token) session.value = stored;
});

async function resume(): Promise<void> {
  const resumed = await resumeByCookie();
  if (resumed !== undefined && session.peek() === undefined && !isSigningIn.peek()) adopt(resumed);
  isResuming.value = false;
}

function adopt({ token, user_id }: Session): void {
  hasEnded.value = false;
  TAB?.removeItem(SIGNED_OUT);
  store(KEY, JSON.stringify({ token, user_id }));
  session.value = { token, user_id };
}

function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined; // blocked
  }
}

function readStored(): Session | undefined {
  try {
    const { token, user_id } = JSON.parse(TAB?.getItem(KEY) ?? '{}') as Partial<Session>;
    return typeof token === 'string' && typeof user_id === 'string' ? { token, user_id } : undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, value: string): void {
  try {
    TAB?.setItem(key, value);
  } catch {
    // full: the session lasts as long as its page
  }
}

/** Former versions kept sessions in local storage. */
function removeFormerStorage(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // blocked
  }
}

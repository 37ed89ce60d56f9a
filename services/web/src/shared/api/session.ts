import { signal } from '@preact/signals';

/** The session of this page. */
export interface Session {
  readonly token: string;
  readonly user_id: string;
}

const KEY = 'gatehouse.session';
/** The session of the tab takes precedence. If the browser blocks storage, a session lasts as long as its page. */
const TAB = storageOf(() => sessionStorage);
const DEVICE = storageOf(() => localStorage);

/** Undefined if nobody is signed in. Follows other tabs if the session is kept on the device. */
export const session = signal<Session | undefined>(readStored());

/** Whether the server ended the session: signed out elsewhere, or too old. */
export const hasEnded = signal(false);

/** Stores a session: on the device if it is kept after the tab is closed, else in the tab. */
export function remember({ token, user_id }: Session, isPersistent: boolean): void {
  const stored = { token, user_id };
  forget();
  hasEnded.value = false;
  store(isPersistent ? DEVICE : TAB, stored);
  session.value = stored;
}

/** Removes a session that the server has ended. The sign-in form then says so. */
export function forgetEnded(): void {
  hasEnded.value = true;
  forget();
}

/** Removes the session of this page, also from storage. Another session in storage stays there. */
export function forget(): void {
  const ended = session.peek()?.token;
  for (const storage of [TAB, DEVICE]) if (read(storage)?.token === ended) storage?.removeItem(KEY);
  session.value = undefined;
}

addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea === DEVICE && (key === KEY || key === null)) readStorageAgain();
});
// A page restored from the back/forward cache has missed changes.
addEventListener('pageshow', ({ persisted }) => persisted && readStorageAgain());

/** Takes over the stored session, if there is storage. */
function readStorageAgain(): void {
  if (TAB === undefined && DEVICE === undefined) return;
  const stored = readStored();
  if (stored?.token !== session.peek()?.token) session.value = stored;
}

function readStored(): Session | undefined {
  return read(TAB) ?? read(DEVICE);
}

function storageOf(find: () => Storage): Storage | undefined {
  try {
    return find();
  } catch {
    return undefined; // blocked
  }
}

function read(storage: Storage | undefined): Session | undefined {
  try {
    const { token, user_id } = JSON.parse(storage?.getItem(KEY) ?? '{}') as Partial<Session>;
    return typeof token === 'string' && typeof user_id === 'string' ? { token, user_id } : undefined;
  } catch {
    return undefined;
  }
}

function store(storage: Storage | undefined, stored: Session): void {
  try {
    storage?.setItem(KEY, JSON.stringify(stored));
  } catch {
    // full: the session lasts as long as its page
  }
}

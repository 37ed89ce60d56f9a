import { signal } from '@preact/signals';

/** The session of this page. */
export interface Session {
  readonly token: string;
  readonly user_id: string;
}

const KEY = 'gatehouse.session';
/** The tab's own session comes first. If the browser blocks storage, a session lasts as long as its page. */
const TAB = storageOf(() => sessionStorage);
const DEVICE = storageOf(() => localStorage);

/** Undefined if nobody is signed in. Changes in other tabs arrive here, if the session is kept on the device. */
export const session = signal<Session | undefined>(readStored());

/** Whether the session ended at the server: signed out elsewhere, or too old. */
export const hasEnded = signal(false);

/** Stores a session, in the tab or on the device. */
export function remember({ token, user_id }: Session, stay: boolean): void {
  const found = { token, user_id };
  forget();
  hasEnded.value = false;
  store(stay ? DEVICE : TAB, found);
  session.value = found;
}

/** Removes a session that has ended at the server; the sign-in form says so. */
export function forgetEnded(): void {
  hasEnded.value = true;
  forget();
}

/** Removes the session of this page. One that is kept on the device stays there. */
export function forget(): void {
  const ended = session.peek()?.token;
  for (const storage of [TAB, DEVICE]) if (read(storage)?.token === ended) storage?.removeItem(KEY);
  session.value = undefined;
}

addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea === DEVICE && (key === KEY || key === null)) follow();
});
// A page restored from the back/forward cache has missed changes.
addEventListener('pageshow', ({ persisted }) => persisted && follow());

/** Loads the stored session, if there is storage. */
function follow(): void {
  if (TAB === undefined && DEVICE === undefined) return;
  const found = readStored();
  if (found?.token !== session.peek()?.token) session.value = found;
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

function store(storage: Storage | undefined, found: Session): void {
  try {
    storage?.setItem(KEY, JSON.stringify(found));
  } catch {
    // full: the session lasts as long as its page
  }
}

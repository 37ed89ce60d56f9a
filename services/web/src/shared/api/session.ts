import { signal } from '@preact/signals';

/** Who is signed in on this page. */
export interface Session {
  readonly token: string;
  readonly user_id: string;
}

const KEY = 'gatehouse.session';
/** The tab's own comes first. A browser that blocks storage has neither: a session lasts as long as its page then. */
const TAB = storageOf(() => sessionStorage);
const DEVICE = storageOf(() => localStorage);

/** Undefined: nobody. Changes of other tabs arrive too, where the user stays signed in. */
export const session = signal<Session | undefined>(readStored());

/** Whether the session that was here ended at the server: signed out elsewhere, or too old. */
export const hasEnded = signal(false);

/** Remembers a session: until the tab is closed, or on this device. */
export function remember({ token, user_id }: Session, stay: boolean): void {
  const found = { token, user_id };
  forget();
  hasEnded.value = false;
  store(stay ? DEVICE : TAB, found);
  session.value = found;
}

/** Forgets a session that the server no longer knows, and says so where one signs in again. */
export function forgetEnded(): void {
  hasEnded.value = true;
  forget();
}

/** Forgets the session of this page. Another one that is kept on the device stays there. */
export function forget(): void {
  const ended = session.peek()?.token;
  for (const storage of [TAB, DEVICE]) if (read(storage)?.token === ended) storage?.removeItem(KEY);
  session.value = undefined;
}

addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea === DEVICE && (key === KEY || key === null)) follow();
});
// A page that the back button brings out of the cache has not heard of what happened meanwhile.
addEventListener('pageshow', ({ persisted }) => persisted && follow());

/** Takes over what is stored, where there is storage. */
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

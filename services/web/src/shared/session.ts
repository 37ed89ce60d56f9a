import { signal } from '@preact/signals';

/** Who is signed in on this page. */
export interface Session {
  readonly token: string;
  readonly user_id: string;
}

const KEY = 'gatehouse.session';

/** Undefined: nobody. Changes of other tabs arrive too, where the user stays signed in. */
export const session = signal<Session | undefined>(read(sessionStorage) ?? read(localStorage));

/** Remembers a session: until the tab is closed, or on this device. */
export function remember(found: Session, stay: boolean): void {
  forget();
  (stay ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(found));
  session.value = found;
}

export function forget(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  session.value = undefined;
}

addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea !== localStorage || (key !== KEY && key !== null)) return;
  if (sessionStorage.getItem(KEY) === null) session.value = read(localStorage);
});

function read(storage: Storage): Session | undefined {
  try {
    const { token, user_id } = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Session>;
    return typeof token === 'string' && typeof user_id === 'string' ? { token, user_id } : undefined;
  } catch {
    return undefined;
  }
}

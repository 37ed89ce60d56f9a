import type { CurrentUser } from '@gatehouse/proto/auth';
import { effect, signal } from '@preact/signals';
import { setLanguage } from '../i18n/language.ts';
import { call } from './api.ts';
import { errorText } from './error-text.ts';
import { retryLater } from './retry-later.ts';
import { onPossibleEnd, session } from './session.ts';

/** The signed-in account. Undefined until it is loaded. */
export const currentUser = signal<CurrentUser | undefined>(undefined);

/** The error text of the last load. */
export const currentUserProblem = signal<string | undefined>(undefined);

effect(() => {
  const token = session.value?.token;
  currentUser.value = undefined;
  currentUserProblem.value = undefined;
  if (token !== undefined) void reloadCurrentUser();
});

let failures = 0;

/** While the server is away, it tries again by itself. */
export async function reloadCurrentUser(): Promise<void> {
  const token = session.peek()?.token;
  const isSame = () => session.peek()?.token === token;
  try {
    const user = await call<CurrentUser>('GET', '/users/@me');
    if (!isSame()) return;
    currentUser.value = user;
    currentUserProblem.value = undefined;
    failures = 0;
    if (user.locale) void setLanguage(user.locale);
  } catch (error) {
    if (!isSame()) return;
    currentUserProblem.value = errorText(error);
    const isWanted = () => isSame() && currentUserProblem.peek() !== undefined;
    retryLater(error, failures++, () => isWanted() && void reloadCurrentUser());
  }
}

const CHECK_EVERY_MS = 2_000;
let checked_ms = 0;

// A request finds out whether the session has ended: a 401 removes it.
onPossibleEnd(() => {
  const token = session.peek()?.token;
  if (token === undefined || performance.now() - checked_ms < CHECK_EVERY_MS) return;
  checked_ms = performance.now();
  call<CurrentUser>('GET', '/users/@me').then(
    (user) => {
      if (session.peek()?.token === token) currentUser.value = user;
    },
    () => undefined, // the page still shows what it has
  );
});

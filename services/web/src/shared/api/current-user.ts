import type { CurrentUser } from '@gatehouse/proto/auth';
import { effect, signal } from '@preact/signals';
import { call } from './api.ts';
import { errorText } from './error-text.ts';
import { session } from './session.ts';

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

export async function reloadCurrentUser(): Promise<void> {
  const token = session.peek()?.token;
  const isSame = () => session.peek()?.token === token;
  try {
    const user = await call<CurrentUser>('GET', '/users/@me');
    if (!isSame()) return;
    currentUser.value = user;
    currentUserProblem.value = undefined;
  } catch (error) {
    if (isSame()) currentUserProblem.value = errorText(error);
  }
}

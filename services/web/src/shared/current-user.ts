import type { CurrentUser } from '@gatehouse/proto/auth';
import { effect, signal } from '@preact/signals';
import { call } from './api.ts';
import { session } from './session.ts';

/** The account of whoever is signed in; undefined until it is there. */
export const currentUser = signal<CurrentUser | undefined>(undefined);

effect(() => {
  const of = session.value?.token;
  currentUser.value = undefined;
  if (of !== undefined) void reloadCurrentUser();
});

/** A page that cannot have it shows the problem with what it loads itself. */
export async function reloadCurrentUser(): Promise<void> {
  const of = session.peek()?.token;
  const user = await call<CurrentUser>('GET', '/users/@me').catch(() => undefined);
  if (user !== undefined && session.peek()?.token === of) currentUser.value = user;
}

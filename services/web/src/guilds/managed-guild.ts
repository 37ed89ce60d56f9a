import type { Guild } from '@gatehouse/proto/chat';
import { signal } from '@preact/signals';
import { ApiError, call } from '../shared/api/api.ts';
import { isId } from '../shared/id.ts';

/** A guild of GET /users/@me/guilds. `permissions` are the account's. */
export type ManagedGuild = Pick<Guild, 'id' | 'name' | 'icon' | 'owner_id' | 'member_count' | 'roles'> & {
  readonly permissions: string;
};

/** The properties of each tab of a guild. */
export interface TabProps {
  readonly guild: ManagedGuild;
}

const MOST_GUILDS = 200;

/** The guilds of the signed-in account. */
export function loadGuilds(): Promise<ManagedGuild[]> {
  return call<ManagedGuild[]>('GET', `/users/@me/guilds?limit=${MOST_GUILDS}`);
}

/** One guild of the signed-in account. Null if the account is not in a guild with this ID. */
export async function loadGuild(id: string): Promise<ManagedGuild | null> {
  if (!isId(id) || id === '0') return null;
  const [found] = await call<ManagedGuild[]>('GET', `/users/@me/guilds?limit=1&after=${BigInt(id) - 1n}`);
  return found?.id === id ? found : null;
}

/** Counts the refused requests of tabs. After each one the page reads the guild and its tabs again. */
export const refusals = signal(0);

/**
 * Calls the API for a tab. A 403 or 404 may mean that the account has lost rights, or that the guild is gone: then the
 * page reads the tabs again.
 *
 * @throws ApiError
 */
export async function callForTab<T = undefined>(
  verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  try {
    return await call<T>(verb, path, body);
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) refusals.value += 1;
    throw error;
  }
}

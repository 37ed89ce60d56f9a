import type { Member } from '@gatehouse/proto/chat';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../shared/api/session.ts';
import { type Loaded, useLoaded } from '../shared/api/use-loaded.ts';
import { callForTab, type ManagedGuild } from './managed-guild.ts';
import { type Actor, actorOf } from './members/hierarchy.ts';

/** The signed-in account in a guild, with its rank. When the guild was loaded again, it is too; the old one stays until then. */
export function useActor(guild: ManagedGuild): Pick<Loaded<Actor>, 'value' | 'problem' | 'reload'> {
  const account_id = session.value?.user_id ?? '';
  const own = useLoaded(
    () => callForTab<Member>('GET', `/guilds/${guild.id}/members/${account_id}`),
    [guild.id, account_id],
  );
  const known = useRef(guild);
  useEffect(() => {
    if (known.current !== guild) void own.reload();
    known.current = guild;
  }, [guild]);
  return { ...own, value: own.value && actorOf(guild, account_id, own.value.roles) };
}

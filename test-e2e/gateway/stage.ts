import type { Reply } from '../support/api.ts';
import { unhurried } from '../support/api.ts';
import type { Message } from '../support/objects.ts';
import { type Caller, foundGuild } from '../support/people.ts';
import { until } from '../support/until.ts';
import type { Dispatch } from './objects.ts';
import type { Session } from './session.ts';
import type { Gateway } from './use-gateway.ts';

/** Somebody whose session is watched. */
export interface Watched {
  readonly session: Session;
  /**
   * What was told since the last time. It is complete: a message was posted after all that happened before, where this
   * session sees it, and has come.
   */
  told(): Promise<Dispatch[]>;
}

/** Who has a credential to identify with. */
export interface Actor extends Caller {
  readonly token: string;
}

let marks = 0;

/** Identifies, and can tell what was told and what was not. The account gets a guild of its own, for marks. */
export async function watch(gateway: Gateway, actor: Actor): Promise<Watched> {
  const { channel } = await foundGuild({ api: unhurried(actor.api) }, 'Marks');
  return watchBy(await gateway.identify(actor.token), actor, channel.id);
}

/** The same with a session that there is, of an actor who may post in a channel that the session sees. */
export function watchBy(session: Session, actor: Caller, channel_id: string): Watched {
  return {
    session,
    told: async () => {
      marks += 1;
      const content = `mark ${marks}`;
      await posted(() => actor.api.post(`/channels/${channel_id}/messages`, { content }));
      const fits = (message: Message) => message.content === content && message.channel_id === channel_id;
      return session.before<Message>('MESSAGE_CREATE', fits);
    },
  };
}

/** A mark is about nothing: where a limit denies it, it comes later. */
function posted(post: () => Promise<Reply>): Promise<Reply> {
  return until('a mark', 20_000, async () => {
    const reply = await post();
    return reply.status === 200 ? reply : undefined;
  });
}

/** What each was told while something was done, by name. */
export async function toldDuring<Name extends string>(
  cast: Readonly<Record<Name, Watched>>,
  act: () => Promise<unknown>,
): Promise<Record<Name, Told[]>> {
  await everyone(cast);
  await act();
  return everyone(cast);
}

export interface Told {
  readonly t: string;
  readonly d: unknown;
}

async function everyone<Name extends string>(
  cast: Readonly<Record<Name, Watched>>,
): Promise<Record<Name, Told[]>> {
  const names = Object.keys(cast) as Name[]; // the type says that it has no others
  const told = await Promise.all(
    names.map(async (name) => [name, (await cast[name].told()).map(({ t, d }) => ({ t, d }))] as const),
  );
  return Object.fromEntries(told) as Record<Name, Told[]>; // one entry a name
}

/** Sorted by type, for what may come in any order. */
export function byType(told: readonly Told[]): Told[] {
  return told.toSorted((one, other) => (one.t < other.t ? -1 : one.t > other.t ? 1 : 0));
}

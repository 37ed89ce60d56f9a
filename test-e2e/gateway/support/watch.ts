import { until } from '@gatehouse/dev-env/until';
import type { Reply } from '../../support/api.ts';
import { unhurried } from '../../support/api.ts';
import type { Message } from '../../support/objects.ts';
import { type Caller, foundGuild } from '../../support/people.ts';
import type { Dispatch } from './objects.ts';
import type { Session } from './session.ts';
import type { Gateway } from './use-gateway.ts';

/** Somebody whose session is watched. */
export interface Watched {
  readonly session: Session;
  /** Posts a message where this session sees it, and gives its content. */
  mark(): Promise<string>;
  /** What was told since the last mark. It is complete: a mark comes after all that happened before it was posted. */
  upTo(mark: string): Promise<Dispatch[]>;
  /** Both: all that happened so far. */
  told(): Promise<Dispatch[]>;
}

/** Who has a credential to identify with. */
export interface Actor extends Caller {
  readonly token: string;
}

/** A channel in which nothing happens but marks. */
export interface Marks {
  readonly guild_id: string;
  readonly channel_id: string;
  readonly by: Caller;
}

export async function openMarks(actor: Caller): Promise<Marks> {
  const by = { api: unhurried(actor.api) };
  const { guild, channel } = await foundGuild(by, 'Marks');
  return { guild_id: guild.id, channel_id: channel.id, by };
}

/** Identifies, and can tell what was told and what was not. The session must see the marks; they are its own otherwise. */
export async function watch(gateway: Gateway, actor: Actor, marks?: Marks): Promise<Watched> {
  const seen = marks ?? (await openMarks(actor));
  return watchBy(await gateway.identify(actor.token), seen);
}

let count = 0;

/** The same with a session that there is. */
export function watchBy(session: Session, { by, channel_id }: Omit<Marks, 'guild_id'>): Watched {
  const mark = async () => {
    count += 1;
    const content = `mark ${count}`;
    await posted(() => by.api.post(`/channels/${channel_id}/messages`, { content }));
    return content;
  };
  const upTo = async (content: string) => {
    const isMark = (message: Message) => message.content === content && message.channel_id === channel_id;
    const events = await session.before<Message>('MESSAGE_CREATE', isMark);
    // Others may have set marks there.
    return events.filter(({ d }) => !isAnyMark(d as Partial<Message> | null));
  };
  return { session, mark, upTo, told: async () => upTo(await mark()) };
}

/** RESUMED has no d. */
function isAnyMark(d: Partial<Message> | null): boolean {
  return /^mark \d+$/.test(d?.content ?? '');
}

/** A mark is about nothing: where a limit denies it, it comes later. */
function posted(post: () => Promise<Reply>): Promise<Reply> {
  return until('a mark', 30_000, async () => {
    const reply = await post();
    return reply.status === 200 ? reply : undefined;
  });
}

/** An event of a session: its type and payload. */
export interface ReceivedEvent {
  readonly t: string;
  readonly d: unknown;
}

/** The events that each receives while `act` runs, by name. All see the same marks. */
export async function toldDuring<Name extends string>(
  cast: Readonly<Record<Name, Watched>>,
  act: () => Promise<unknown>,
): Promise<Record<Name, ReceivedEvent[]>> {
  await everyone(cast);
  await act();
  return everyone(cast);
}

async function everyone<Name extends string>(
  cast: Readonly<Record<Name, Watched>>,
): Promise<Record<Name, ReceivedEvent[]>> {
  const names = Object.keys(cast) as [Name, ...Name[]]; // the type says that it has no others
  const mark = await cast[names[0]].mark();
  const told = await Promise.all(
    names.map(async (name) => [name, (await cast[name].upTo(mark)).map(({ t, d }) => ({ t, d }))] as const),
  );
  return Object.fromEntries(told) as Record<Name, ReceivedEvent[]>; // one entry a name
}

/** Sorts by type, for events that may arrive in any order. */
export function byType(told: readonly ReceivedEvent[]): ReceivedEvent[] {
  return told.toSorted((one, other) => (one.t < other.t ? -1 : one.t > other.t ? 1 : 0));
}

import { until } from '@gatehouse/dev-env/until';
import { type Reply, withGlobalRetry } from '../../support/api.ts';
import type { Message } from '../../support/objects.ts';
import { type Caller, createGuild } from '../../support/people.ts';
import type { Dispatch } from './objects.ts';
import type { Session } from './session.ts';
import type { Gateway } from './use-gateway.ts';

/** A Gateway session whose events can be collected completely. */
export interface WatchedSession {
  readonly session: Session;
  /** Posts a mark where this session sees it. Returns its content. */
  mark(): Promise<string>;
  /** Waits for a mark. Returns all events since the previous one: a mark arrives after every earlier event. */
  eventsUpTo(mark: string): Promise<Dispatch[]>;
  /** Posts a mark and returns all events before it. */
  received(): Promise<Dispatch[]>;
}

/** An account or bot with a token to identify with. */
export interface GatewayCaller extends Caller {
  readonly token: string;
}

/** A channel that has only marks. */
export interface MarkChannel {
  readonly guild_id: string;
  readonly channel_id: string;
  readonly by: Caller;
}

export async function openMarkChannel(actor: Caller): Promise<MarkChannel> {
  const by = { api: withGlobalRetry(actor.api) };
  const { guild, channel } = await createGuild(by, 'Marks');
  return { guild_id: guild.id, channel_id: channel.id, by };
}

/**
 * Identifies, and collects the session's events. The session must see `marks`; by default it gets its own mark channel.
 */
export async function watch(
  gateway: Gateway,
  actor: GatewayCaller,
  marks?: MarkChannel,
): Promise<WatchedSession> {
  const seen = marks ?? (await openMarkChannel(actor));
  return watchBy(await gateway.identify(actor.token), seen);
}

let count = 0;

/** Collects the events of an existing session. */
export function watchBy(session: Session, { by, channel_id }: Omit<MarkChannel, 'guild_id'>): WatchedSession {
  const mark = async () => {
    count += 1;
    const content = `mark ${count}`;
    await posted(() => by.api.post(`/channels/${channel_id}/messages`, { content }));
    return content;
  };
  const eventsUpTo = async (content: string) => {
    const isMark = (message: Message) => message.content === content && message.channel_id === channel_id;
    const events = await session.before<Message>('MESSAGE_CREATE', isMark);
    // The channel may have marks of other tests.
    return events.filter(({ d }) => !isAnyMark(d as Partial<Message> | null));
  };
  return { session, mark, eventsUpTo, received: async () => eventsUpTo(await mark()) };
}

/** RESUMED has no d. */
function isAnyMark(d: Partial<Message> | null): boolean {
  return /^mark \d+$/.test(d?.content ?? '');
}

/** Repeats the mark while a limit denies it. */
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

/** The events that each session receives while `act` runs, by name. All must see the same mark channel. */
export async function receivedDuring<Name extends string>(
  watchedGuild: Readonly<Record<Name, WatchedSession>>,
  act: () => Promise<unknown>,
): Promise<Record<Name, ReceivedEvent[]>> {
  await everyone(watchedGuild);
  await act();
  return everyone(watchedGuild);
}

async function everyone<Name extends string>(
  watchedGuild: Readonly<Record<Name, WatchedSession>>,
): Promise<Record<Name, ReceivedEvent[]>> {
  const names = Object.keys(watchedGuild) as [Name, ...Name[]]; // the type says that it has no others
  const mark = await watchedGuild[names[0]].mark();
  const received = await Promise.all(
    names.map(
      async (name) =>
        [name, (await watchedGuild[name].eventsUpTo(mark)).map(({ t, d }) => ({ t, d }))] as const,
    ),
  );
  return Object.fromEntries(received) as Record<Name, ReceivedEvent[]>; // one entry a name
}

/** Sorts by type, for events that may arrive in any order. */
export function byType(received: readonly ReceivedEvent[]): ReceivedEvent[] {
  return received.toSorted((one, other) => (one.t < other.t ? -1 : one.t > other.t ? 1 : 0));
}

import { until } from '@gatehouse/dev-env/until';
import type { GetGuildStatesResponse } from '@gatehouse/proto/chat';
import type { ChatDatabase } from './chat-database.ts';
import { compare } from './compare.ts';
import type { ExpectedStreams } from './expected.ts';
import { markAll } from './marks.ts';
import { differences, type PlainGuild, plainGuild } from './plain-guild.ts';
import type { Reader } from './reader.ts';
import { type Replayed, replay } from './replay.ts';
import type { ReplicaProcess } from './replica-process.ts';
import type { Scenario } from './scenario.ts';

export interface StreamCheck {
  /** Differences and faults, as readable text. */
  readonly problems: readonly string[];
  /** Number of events in the log. */
  readonly written: number;
  /** Events received by all readers. */
  readonly received: number;
}

const RECEIVED_WITHIN_MS = 60_000;

/** Posts the final marks, waits until all readers receive them, and compares each reader's events with the log. */
export async function checkStreams(
  scenario: Scenario,
  start: GetGuildStatesResponse,
  first: string,
): Promise<StreamCheck> {
  const { database, replicas, readers, world } = scenario;
  await markAll(world);
  const { streams, guilds, written } = await untilReceived(scenario, start, first);
  const compared = readers.map((reader) => compare(reader, streams));
  const account_ids = start.accounts.map(({ account_id }) => account_id);
  const problems = [
    ...(await wrongEnds(database, account_ids, guilds)),
    ...readers.flatMap(({ faults }) => faults),
    ...compared.flatMap((one) => one.problems),
    ...replicas.flatMap(({ name, errors }) => errors().map((line) => `replica ${name}: ${line}`)),
  ];
  if (problems.length > 0) problems.push(...outagesOf(replicas));
  return { problems, written, received: compared.reduce((sum, { events }) => sum + events, 0) };
}

/** Waits until the log no longer grows: some events are written after their cause, and so after the marks. */
async function untilReceived(
  { database, readers }: Scenario,
  start: GetGuildStatesResponse,
  first: string,
): Promise<Replayed & { readonly written: number }> {
  for (;;) {
    const log = await database.eventsAfter(first);
    const replayed = replay(start, log);
    await until(
      'all readers have received the last event of each guild',
      RECEIVED_WITHIN_MS,
      () => readers.every((reader) => hasReceivedAll(reader, replayed.streams)) || undefined,
    ).catch(() => undefined); // The comparison reports missing events.
    if ((await database.lastEvent()) === log.at(-1)?.id) return { ...replayed, written: log.length };
  }
}

function hasReceivedAll(reader: Reader, streams: ExpectedStreams): boolean {
  const { account_id, received } = reader;
  const last = received.segments.at(-1);
  if (last === undefined || !reader.isListening()) return false;
  return streams.scopesOf(account_id).every((scope) => {
    const stream = streams.of(account_id, scope);
    const lastKey = last.receivedEvents.get(scope)?.at(-1)?.key;
    return lastKey === undefined ? stream.isAtEnd(last.starts.get(scope)) : lastKey === stream.keys.at(-1);
  });
}

/** The replayed guilds must equal chat's final state. */
async function wrongEnds(
  database: ChatDatabase,
  account_ids: readonly string[],
  guilds: readonly PlainGuild[],
): Promise<string[]> {
  const states = await database.states(account_ids);
  return guilds.flatMap((replayed) => {
    const stored = states.guilds.find(({ guild }) => guild?.id === replayed.row.id);
    const lines = stored === undefined ? ['it does not exist'] : differences(replayed, plainGuild(stored));
    const title = `guild ${replayed.row.id}, replayed (-) and stored (+):`;
    return lines.length === 0 ? [] : [[title, ...lines].join('\n  ')];
  });
}

/** The replicas' outages and log lines about lost sessions. */
function outagesOf(replicas: readonly ReplicaProcess[]): string[] {
  return replicas.flatMap(({ name, outages, linesWith }) => [
    ...outages.map(
      ({ kind, from_ms, to_ms }) =>
        `replica ${name}: ${kind} from ${Math.round(from_ms)} to ${Math.round(to_ms)} ms`,
    ),
    ...linesWith('not all sessions').map((line) => `replica ${name}: ${line}`),
  ]);
}

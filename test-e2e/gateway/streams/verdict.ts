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
import type { Scene } from './scene.ts';

export interface Verdict {
  /** For people. */
  readonly problems: readonly string[];
  /** Events. */
  readonly written: number;
  /** By all readers together. */
  readonly heard: number;
}

const HEARD_WITHIN_MS = 60_000;

/** Sets the last marks, waits until they are heard, and holds what each reader was told against the log. */
export async function problemsOf(
  scene: Scene,
  start: GetGuildStatesResponse,
  first: string,
): Promise<Verdict> {
  const { database, replicas, readers, stage } = scene;
  await markAll(stage);
  const { streams, guilds, written } = await untilHeard(scene, start, first);
  const compared = readers.map((reader) => compare(reader, streams));
  const account_ids = start.accounts.map(({ account_id }) => account_id);
  const problems = [
    ...(await wrongEnds(database, account_ids, guilds)),
    ...readers.flatMap(({ faults }) => faults),
    ...compared.flatMap((one) => one.problems),
    ...replicas.flatMap(({ name, errors }) => errors().map((line) => `replica ${name}: ${line}`)),
  ];
  if (problems.length > 0) problems.push(...outagesOf(replicas));
  return { problems, written, heard: compared.reduce((sum, { events }) => sum + events, 0) };
}

/** Some events are written after what causes them, and so after the marks. */
async function untilHeard(
  { database, readers }: Scene,
  start: GetGuildStatesResponse,
  first: string,
): Promise<Replayed & { readonly written: number }> {
  for (;;) {
    const log = await database.eventsAfter(first);
    const replayed = replay(start, log);
    await until(
      'all readers have heard the last of each guild',
      HEARD_WITHIN_MS,
      () => readers.every((reader) => hasHeardAll(reader, replayed.streams)) || undefined,
    ).catch(() => undefined); // The comparison says what is missing.
    if ((await database.lastEvent()) === log.at(-1)?.id) return { ...replayed, written: log.length };
  }
}

function hasHeardAll({ account_id, heard, isListening }: Reader, streams: ExpectedStreams): boolean {
  const last = heard.segments.at(-1);
  if (last === undefined || !isListening()) return false;
  return streams.scopesOf(account_id).every((scope) => {
    const stream = streams.of(account_id, scope);
    const told = last.told.get(scope)?.at(-1)?.key;
    return told === undefined ? stream.isAtEnd(last.starts.get(scope)) : told === stream.keys.at(-1);
  });
}

/** The naive reading of the log must end where the database does. */
async function wrongEnds(
  database: ChatDatabase,
  account_ids: readonly string[],
  guilds: readonly PlainGuild[],
): Promise<string[]> {
  const states = await database.states(account_ids);
  return guilds.flatMap((replayed) => {
    const stored = states.guilds.find(({ guild }) => guild?.id === replayed.row.id);
    const lines = stored === undefined ? ['it is gone'] : differences(replayed, plainGuild(stored));
    const title = `guild ${replayed.row.id} by its log, and as it is:`;
    return lines.length === 0 ? [] : [[title, ...lines].join('\n  ')];
  });
}

/** When replicas ended, and what they said of it. */
function outagesOf(replicas: readonly ReplicaProcess[]): string[] {
  return replicas.flatMap(({ name, outages, linesWith }) => [
    ...outages.map(
      ({ kind, from_ms, to_ms }) =>
        `replica ${name}: ${kind} from ${Math.round(from_ms)} to ${Math.round(to_ms)} ms`,
    ),
    ...linesWith('not all sessions').map((line) => `replica ${name}: ${line}`),
  ]);
}

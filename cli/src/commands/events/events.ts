import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
import { addressesOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callService } from '../../service/call-service.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { followLog } from './follow-log.ts';
import { authEvent, chatEvent, type LogEvent, logEventJson, logEventLine } from './log-event.ts';

const AUTH = {
  server: 'auth' as const,
  definition: AuthServiceDefinition,
  title: 'The auth service or its database',
};
const CHAT = {
  server: 'chat' as const,
  definition: ChatServiceDefinition,
  title: 'The chat service or its database',
};

export interface EventsOptions {
  readonly types?: readonly string[];
  readonly guild?: string;
  readonly account?: string;
  readonly count?: number;
  /** Seconds. */
  readonly for?: number;
  readonly json?: boolean;
}

/** Prints new events of both logs until the signal, the count or the time. */
export async function events(options: EventsOptions, runtime: Runtime): Promise<void> {
  const done = new AbortController();
  const time = options.for === undefined ? [] : [AbortSignal.timeout(options.for * 1_000)];
  const signal = AbortSignal.any([runtime.signal, done.signal, ...time]);
  const show = printer(options, runtime, () => done.abort());
  await untilInterrupted(() => followBoth(show, runtime, signal), signal);
}

/** If one log fails, the other is not followed any more. */
async function followBoth(
  show: (event: LogEvent) => void,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const following = [followChat(show, runtime, either), followAuth(show, runtime, either)];
  try {
    await Promise.all(following);
  } finally {
    failed.abort();
    await Promise.allSettled(following);
  }
}

/** Prints wanted events, and ends after the count of them. */
function printer(options: EventsOptions, runtime: Runtime, end: () => void): (event: LogEvent) => void {
  const { types, guild, account, count = Number.POSITIVE_INFINITY, json } = options;
  let printed = 0;
  return (event) => {
    if (printed >= count) return;
    if (types !== undefined && !types.includes(event.type)) return;
    if (guild !== undefined && event.guild_id !== guild) return;
    if (account !== undefined && !event.account_ids.includes(account)) return;
    const now = new Date();
    printLine(runtime, json ? logEventJson(event, now) : logEventLine(event, now));
    if (++printed === count) end();
  };
}

function followChat(show: (event: LogEvent) => void, runtime: Runtime, signal: AbortSignal): Promise<void> {
  const address = addressesOf(runtime.env, 'chat');
  return callService(CHAT, address, runtime, (client) =>
    followLog({
      read: (cursor) => client.readEvents({ cursor, types: [] }, { signal }),
      print: (event) => show(chatEvent(event)),
      warn: () => warnOf('chat', address, runtime),
      signal,
    }),
  );
}

function followAuth(show: (event: LogEvent) => void, runtime: Runtime, signal: AbortSignal): Promise<void> {
  const address = addressesOf(runtime.env, 'auth');
  return callService(AUTH, address, runtime, (client) =>
    followLog({
      read: (cursor) => client.readEvents({ cursor }, { signal }),
      print: (event) => show(authEvent(event)),
      warn: () => warnOf('auth', address, runtime),
      signal,
    }),
  );
}

function warnOf(service: string, address: string, { stderr }: Runtime): void {
  stderr.write(`${address}: The ${service} service does not answer; waiting for it.\n`);
}

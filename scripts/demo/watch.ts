import { setTimeout as sleep } from 'node:timers/promises';
import { findGateway } from '@gatehouse/cli/commands/tail/find-gateway';
import { tailEvents } from '@gatehouse/cli/commands/tail/tail-events';
import { CommandFailure } from '@gatehouse/cli/failures';
import { stripControls } from '@gatehouse/cli/output/printable';
import { DemoError } from './demo-error.ts';
import { say } from './terminal.ts';

export interface Watcher {
  /** Resolves once another event is printed. */
  nextEvent(): Promise<void>;
  /** Ends the session. */
  end(): Promise<void>;
}

export interface WatchedChannel {
  /** The URL of the API, with /api/v1. */
  readonly api: string;
  readonly token: string;
  readonly channel_id: string;
}

const MARGIN = '   ';
const TIMEOUT_MS = 15_000;
/** Ends the session even if the story hangs. */
const LONGEST_SECONDS = 300;

/** Prints a channel's events live, as `gatehouse tail` does. Resolves when the session is ready. */
export async function watch({ api, token, channel_id }: WatchedChannel): Promise<Watcher> {
  const leave = new AbortController();
  const ready = Promise.withResolvers<void>();
  let shown = 0;
  let awaited = 0;
  let onShown = () => {};
  const ended = tailEvents({
    url: await findGateway(api, leave.signal).catch(toDemoError),
    token,
    channels: [channel_id],
    for_seconds: LONGEST_SECONDS,
    print: (line) => {
      say(`${MARGIN}${line}`);
      shown += 1;
      onShown();
    },
    note: (text) => say(`${MARGIN}${stripControls(text)}`),
    onReady: ready.resolve,
    signal: leave.signal,
  });
  const over = ended.then(() => {
    throw new DemoError('The session ended before the story.');
  }, toDemoError);
  over.catch(() => undefined); // callers that wait get the error
  await waitFor(ready.promise, over, 'The Gateway sent no READY.');

  return {
    async nextEvent() {
      awaited += 1;
      const event = new Promise<void>((resolve) => {
        onShown = () => {
          if (shown >= awaited) resolve();
        };
        onShown();
      });
      await waitFor(event, over, 'The Gateway did not dispatch the message.');
    },
    async end() {
      leave.abort();
      await ended.catch(() => undefined);
    },
  };
}

/** @throws DemoError if the session ends first, or with `timeoutMessage` after a time limit */
async function waitFor(fact: Promise<void>, over: Promise<never>, timeoutMessage: string): Promise<void> {
  const late = new AbortController();
  const deadline = sleep(TIMEOUT_MS, undefined, { signal: late.signal }).then(() => {
    throw new DemoError(timeoutMessage);
  });
  deadline.catch(() => undefined);
  try {
    await Promise.race([fact, over, deadline]);
  } finally {
    late.abort();
  }
}

function toDemoError(error: unknown): never {
  throw error instanceof CommandFailure ? new DemoError(error.message) : error;
}

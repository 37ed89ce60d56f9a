import { setTimeout as sleep } from 'node:timers/promises';
import { findGateway } from '@gatehouse/cli/commands/tail/find-gateway';
import { tailEvents } from '@gatehouse/cli/commands/tail/tail-events';
import { CommandFailure } from '@gatehouse/cli/failures';
import { stripControls } from '@gatehouse/cli/output/printable';
import { DemoError } from './demo-error.ts';
import { say } from './terminal.ts';

export interface Watching {
  /** Waits until one more event was shown. */
  nextEvent(): Promise<void>;
  /** Ends the session. */
  end(): Promise<void>;
}

export interface Watched {
  /** Where the API answers, with /api/v1. */
  readonly api: string;
  readonly token: string;
  readonly channel_id: string;
}

const MARGIN = '   ';
const WITHIN_MS = 15_000;
/** It ends by itself, should the story hang. */
const FOR_SECONDS = 300;

/** Shows a channel's events live, as `gatehouse tail` does, from when the session is ready. */
export async function watch({ api, token, channel_id }: Watched): Promise<Watching> {
  const leave = new AbortController();
  const ready = Promise.withResolvers<void>();
  let shown = 0;
  let awaited = 0;
  let onShown = () => {};
  const ended = tailEvents({
    url: await findGateway(api, leave.signal).catch(toDemoError),
    token,
    channels: [channel_id],
    for_seconds: FOR_SECONDS,
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
    throw new DemoError('The Gateway was left before the story ended.');
  }, toDemoError);
  over.catch(() => undefined); // whoever waits is told
  await within(ready.promise, over, 'The Gateway sends no READY.');

  return {
    async nextEvent() {
      awaited += 1;
      const event = new Promise<void>((resolve) => {
        onShown = () => {
          if (shown >= awaited) resolve();
        };
        onShown();
      });
      await within(event, over, 'The Gateway does not tell what was posted.');
    },
    async end() {
      leave.abort();
      await ended.catch(() => undefined);
    },
  };
}

async function within(fact: Promise<void>, over: Promise<never>, otherwise: string): Promise<void> {
  const late = new AbortController();
  const deadline = sleep(WITHIN_MS, undefined, { signal: late.signal }).then(() => {
    throw new DemoError(otherwise);
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

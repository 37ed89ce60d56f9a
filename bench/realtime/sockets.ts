import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ProtocolName } from './protocols.ts';

export interface OpenOrder {
  readonly protocol: ProtocolName;
  /** host:port */
  readonly address: string;
  /** One for each socket. */
  readonly tokens: readonly string[];
}

/** A message's ID, and when a socket had it, in milliseconds since 1970. */
export type Delivery = readonly [id: string, at_ms: number];

export type Ask =
  | ({ readonly kind: 'open' } & OpenOrder)
  | { readonly kind: 'expect'; readonly events: number }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'record' }
  | { readonly kind: 'recorded'; readonly deliveries: number }
  | { readonly kind: 'sample' };

/** Many WebSocket clients in a process of their own, beside the server on the same cores. */
export interface Sockets {
  /** Opens more of them. Settles when they are ready for events. */
  open(order: OpenOrder): Promise<void>;
  /** Begins to count events. None are on their way. */
  expect(events: number): Promise<void>;
  /** Settles when all sockets have had all of them: when the last one had each, in milliseconds since 1970. */
  arrived(): Promise<readonly number[]>;
  /** Begins to note each delivery. */
  record(): Promise<void>;
  recorded(deliveries: number): Promise<readonly Delivery[]>;
  /** The text of an event, as the first socket had it last. */
  sample(): Promise<string>;
  close(): void;
}

export function sockets(): Sockets {
  const worker = fork(new URL('sockets-worker.ts', import.meta.url));
  const ask = asker(worker);
  return {
    open: (order) => ask({ kind: 'open', ...order }) as Promise<void>,
    expect: (events) => ask({ kind: 'expect', events }) as Promise<void>,
    arrived: () => ask({ kind: 'arrived' }) as Promise<readonly number[]>,
    record: () => ask({ kind: 'record' }) as Promise<void>,
    recorded: (deliveries) => ask({ kind: 'recorded', deliveries }) as Promise<readonly Delivery[]>,
    sample: () => ask({ kind: 'sample' }) as Promise<string>,
    close: () => void worker.kill('SIGKILL'),
  };
}

function asker(worker: ChildProcess): (ask: Ask) => Promise<unknown> {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  worker.on('message', ({ id, answer }: { id: number; answer?: unknown }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  const failed = once(worker, 'exit').then(([code]) => {
    throw new Error(`the clients ended with ${code}`);
  });
  failed.catch(() => undefined); // whoever asks is told
  return (ask) => {
    const id = ++last;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    worker.send({ id, ask });
    return Promise.race([answered, failed]);
  };
}

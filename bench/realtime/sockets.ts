import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ProtocolName } from './protocols.ts';

export interface OpenOrder {
  readonly protocol: ProtocolName;
  /** host:port */
  readonly address: string;
  /** A token for each socket. */
  readonly tokens: readonly string[];
}

/** The ID of a message, and its arrival at a socket, in milliseconds since 1970. */
export type Delivery = readonly [id: string, at_ms: number];

export type WorkerRequest =
  | ({ readonly kind: 'open' } & OpenOrder)
  | { readonly kind: 'expect'; readonly events: number }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'arrivals' }
  | { readonly kind: 'record' }
  | { readonly kind: 'recorded'; readonly deliveries: number }
  | { readonly kind: 'sample' };

/** Many WebSocket clients in a separate process, on the same cores as the server. */
export interface Sockets {
  /** Opens more clients. Resolves when they are ready for events. */
  open(order: OpenOrder): Promise<void>;
  /** Starts counting events, while none are in flight. */
  expect(events: number): Promise<void>;
  /**
   * Resolves when all sockets have received all events: the time at which the last one received each, in milliseconds
   * since 1970.
   */
  arrived(): Promise<readonly number[]>;
  /** Resolves like `arrived`: the arrival of each event at each socket, in ascending order. */
  arrivals(): Promise<readonly number[]>;
  /** Starts recording each delivery. */
  record(): Promise<void>;
  recorded(deliveries: number): Promise<readonly Delivery[]>;
  /** The text of the last event at the first socket. */
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
    arrivals: () => ask({ kind: 'arrivals' }) as Promise<readonly number[]>,
    record: () => ask({ kind: 'record' }) as Promise<void>,
    recorded: (deliveries) => ask({ kind: 'recorded', deliveries }) as Promise<readonly Delivery[]>,
    sample: () => ask({ kind: 'sample' }) as Promise<string>,
    close: () => void worker.kill('SIGKILL'),
  };
}

function asker(worker: ChildProcess): (ask: WorkerRequest) => Promise<unknown> {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  worker.on('message', ({ id, answer }: { id: number; answer?: unknown }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  const failed = once(worker, 'exit').then(([code]) => {
    throw new Error(`the clients ended with ${code}`);
  });
  failed.catch(() => undefined); // callers get the error
  return (ask) => {
    const id = ++last;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    worker.send({ id, ask });
    return Promise.race([answered, failed]);
  };
}

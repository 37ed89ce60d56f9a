import type { IncomingMessage } from 'node:http';
import { unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { BodyBudgets } from './body-budgets.ts';
import type { Bounds } from './bounds.ts';
import { ClientConnections } from './client-connections.ts';
import { heapWatch } from './heap-watch.ts';
import { Refusals } from './refusals.ts';
import { RequestsUnderWay } from './requests-under-way.ts';

/** The bounds that keep the edge alive under more load than it can carry, and its refusals. */
export interface Overload {
  readonly bounds: Bounds;
  readonly refusals: Refusals;
  readonly clients: ClientConnections;
  readonly requests: RequestsUnderWay;
  readonly bodies: BodyBudgets;
  /** Whether the heap is too full for long bodies and pictures. Counts a refusal if so. */
  shedsExpensive(): boolean;
  /** Whether the heap is too full for any request. */
  shedsAll(): boolean;
  /** @throws SERVICE_UNAVAILABLE if the heap is too full for any request */
  admit(): void;
  heapShare(): number;
  close(): void;
}

export interface OverloadOptions {
  readonly bounds: Bounds;
  /** The IP group under which a peer's connections count; undefined for a trusted proxy. */
  groupOfPeer(peer: string | undefined): string | undefined;
  /** The client's IP group: the peer's, or that of the address that a trusted proxy names. */
  groupOfClient(request: IncomingMessage): string;
  readonly log: Logger;
}

export function overloadManager({ bounds, groupOfPeer, groupOfClient, log }: OverloadOptions): Overload {
  const refusals = new Refusals(log);
  const bodies = new BodyBudgets(bounds, refusals);
  const heap = heapWatch(bounds.heap_percent);

  function sheds(isShed: boolean): boolean {
    if (isShed) refusals.count('heap');
    return isShed;
  }

  const clients = new ClientConnections({ bounds, refusals, groupOfPeer, groupOfClient });

  return {
    bounds,
    refusals,
    clients,
    requests: new RequestsUnderWay(bounds, refusals),
    bodies,
    shedsExpensive: () => sheds(heap.level() !== 'normal'),
    shedsAll: () => heap.level() === 'full',
    admit: () => {
      if (sheds(heap.level() === 'full')) throw unavailable(new Error('the heap is full'));
    },
    heapShare: heap.share,
    close: () => bodies.close(),
  };
}

import { addressResolver } from '@gatehouse/kit/net/resolve-addresses';
import type { PeerOptions } from '@gatehouse/kit/process/runtime';
import { type Client, type Connection, connect } from '@gatehouse/kit/rpc';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';

export type Peer = Client<typeof RealtimeServiceDefinition>;

/** The replicas of this service, each by itself; this one may be among them. */
export interface Peers {
  /** As the names are resolved now. */
  all(): Promise<readonly Peer[]>;
  close(): void;
}

/** @param address host:port, or several separated by commas; a name stands for all its addresses */
export function peers(address: string | undefined, options: PeerOptions): Peers {
  const resolve = address === undefined ? async () => [] : addressResolver(address);
  const connections = new Map<string, Connection<typeof RealtimeServiceDefinition>>();

  function connectionTo(target: string): Connection<typeof RealtimeServiceDefinition> {
    const known = connections.get(target);
    if (known !== undefined) return known;
    // A replica that stops ends its call streams at once, and still answers unary calls.
    const connection = connect(RealtimeServiceDefinition, {
      ...options,
      address: target,
      transport: 'unary',
    });
    connections.set(target, connection);
    return connection;
  }

  return {
    all: async () => {
      const resolved = new Set(await resolve());
      for (const [target, connection] of connections) {
        if (resolved.has(target)) continue;
        connections.delete(target);
        connection.close();
      }
      return [...resolved].map((target) => connectionTo(target).client);
    },
    close: () => {
      for (const connection of connections.values()) connection.close();
    },
  };
}

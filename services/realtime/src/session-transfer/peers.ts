import { addressResolver } from '@gatehouse/kit/net/resolve-addresses';
import type { PeerOptions } from '@gatehouse/kit/process/runtime';
import { type Client, type Connection, connect } from '@gatehouse/kit/rpc';
import { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';

export type Peer = Client<typeof RealtimeServiceDefinition>;

/** The replicas of this service, possibly including this one. */
export class Peers {
  readonly #options: PeerOptions;
  readonly #resolve: () => Promise<readonly string[]>;
  readonly #connections = new Map<string, Connection<typeof RealtimeServiceDefinition>>();

  /** @param address host:port, or several separated by commas; a name stands for all its addresses */
  constructor(address: string | undefined, options: PeerOptions) {
    this.#options = options;
    this.#resolve = address === undefined ? async () => [] : addressResolver(address);
  }

  /** Returns a client for each replica that the names resolve to now. */
  async all(): Promise<readonly Peer[]> {
    const resolved = new Set(await this.#resolve());
    for (const [target, connection] of this.#connections) {
      if (resolved.has(target)) continue;
      this.#connections.delete(target);
      connection.close();
    }
    return [...resolved].map((target) => this.#connectionTo(target).client);
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
  }

  #connectionTo(target: string): Connection<typeof RealtimeServiceDefinition> {
    const known = this.#connections.get(target);
    if (known !== undefined) return known;
    // A stopping replica ends its call streams at once, and still answers unary calls.
    const options = { ...this.#options, address: target, transport: 'unary' } as const;
    const connection = connect(RealtimeServiceDefinition, options);
    this.#connections.set(target, connection);
    return connection;
  }
}

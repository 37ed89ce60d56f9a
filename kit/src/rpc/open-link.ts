import { directLink, type LocalPeer } from './direct/direct-link.ts';
import type { Link } from './link.ts';
import { streamLink } from './stream/stream-link.ts';
import type { ClientTls } from './tls/client-tls.ts';
import { unaryLink } from './unary/unary-link.ts';

/** Whether calls share a call stream, or each is a unary RPC. */
export type Transport = 'stream' | 'unary';

/** How a replica is called. */
export interface LinkOptions {
  readonly transport: Transport;
  readonly tls: ClientTls | undefined;
  /** If given, the replica is in this process, and neither of the others matters. */
  readonly local: LocalPeer | undefined;
}

export function openLink(address: string, { transport, tls, local }: LinkOptions): Link {
  if (local !== undefined) return directLink(address, local);
  return transport === 'stream' ? streamLink(address, tls) : unaryLink(address, tls, true);
}

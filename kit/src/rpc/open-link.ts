import { DirectLink, type LocalPeer } from './direct/direct-link.ts';
import type { Link } from './link.ts';
import { StreamLink } from './stream/stream-link.ts';
import type { ClientTls } from './tls/client-tls.ts';
import { UnaryLink } from './unary/unary-link.ts';

/** 'stream': calls share a call stream. 'unary': each call is an RPC of its own. */
export type Transport = 'stream' | 'unary';

export interface LinkOptions {
  readonly transport: Transport;
  readonly tls: ClientTls | undefined;
  /** The services of this process. The other options do not matter for a call to one of them. */
  readonly local: LocalPeer | undefined;
}

export function openLink(address: string, { transport, tls, local }: LinkOptions): Link {
  if (local?.servers.owns(address)) return new DirectLink(address, local);
  return transport === 'stream' ? new StreamLink(address, tls) : new UnaryLink(address, tls, true);
}

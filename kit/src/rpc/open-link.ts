import type { ClientTls } from './client-tls.ts';
import type { Link } from './link.ts';
import { streamLink } from './stream/stream-link.ts';
import { unaryLink } from './unary/unary-link.ts';

/** Whether calls share a call stream, or each is a unary RPC. */
export type Transport = 'stream' | 'unary';

export function openLink(address: string, transport: Transport, tls: ClientTls | undefined): Link {
  return transport === 'stream' ? streamLink(address, tls) : unaryLink(address, tls, true);
}

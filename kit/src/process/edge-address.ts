import type { EnvReader } from '../env.ts';

/** Addresses to listen on, but not to connect to. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** host:port of the edge by HOST and PORT: what its URLs have unless a setting gives those that clients use. */
export function edgeAddress(read: EnvReader): string {
  const given = read.text('HOST', '127.0.0.1');
  const host = ALL_ADDRESSES.has(given) ? '127.0.0.1' : given;
  return `${host.includes(':') ? `[${host}]` : host}:${read.port('PORT', 8080)}`;
}

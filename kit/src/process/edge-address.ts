import type { EnvReader } from '../env.ts';

/** Addresses to listen on that clients cannot connect to. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** host:port of the edge by HOST and PORT, for the default of public URLs. */
export function edgeAddress(read: EnvReader): string {
  const given = read.text('HOST', '127.0.0.1');
  const host = ALL_ADDRESSES.has(given) ? '127.0.0.1' : given;
  return `${host.includes(':') ? `[${host}]` : host}:${read.port('PORT', 8080)}`;
}

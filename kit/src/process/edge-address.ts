import type { EnvReader } from '../env.ts';

/** Addresses to listen on that clients cannot connect to. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** host:port of the edge by HOST and PORT, for the default of public URLs. */
export function edgeAddress(read: EnvReader): string {
  const listenHost = read.text('HOST', {
    about: 'the address that the edge listens on',
    default: '127.0.0.1',
  });
  const host = ALL_ADDRESSES.has(listenHost) ? '127.0.0.1' : listenHost;
  return `${host.includes(':') ? `[${host}]` : host}:${read.port('PORT', { about: 'the port of the edge', default: 8080 })}`;
}

/** GATEWAY_URL: where clients find the WebSocket Gateway. */
export function readGatewayUrl(read: EnvReader): string {
  return read.url('GATEWAY_URL', {
    about: 'where clients find the WebSocket Gateway',
    protocols: ['ws', 'wss'],
    default: `ws://${edgeAddress(read)}/gateway`,
    unset: '`/gateway` of the edge, at HOST and PORT',
    example: 'wss://chat.example.com/gateway',
  });
}

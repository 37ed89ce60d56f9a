import { readEnv } from '@gatehouse/kit/env';
import { parseNetworks } from '@gatehouse/kit/net/client-ip';
import { edgeAddress } from '@gatehouse/kit/process/edge-address';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';

export interface Config extends ProcessConfig {
  /** host:port where other replicas call it. */
  readonly listen: string;
  /** host:port of the WebSocket Gateway. */
  readonly gateway_listen: string;
  /** Where READY says that a session is to be resumed. */
  readonly resume_gateway_url: string;
  /** Where the auth service listens: host:port, or several separated by commas. */
  readonly auth_address: string;
  /** Where the chat service listens: host:port, or several separated by commas. */
  readonly chat_address: string;
  /** Where the replicas of this service listen, this one among them or not; undefined: there are no others. */
  readonly peers_address: string | undefined;
  /** CIDRs of the proxies whose X-Forwarded-For is believed. */
  readonly trusted_proxies: readonly string[];
  readonly bounds: Bounds;
  /** Whether clients may have frames compressed (permessage-deflate). */
  readonly deflate: boolean;
}

/** What clients may hold. */
export interface Bounds {
  readonly max_connections: number;
  /** Of one client address, IPv6 by /64. */
  readonly max_connections_per_address: number;
  /** Sessions of one account, connected or not. */
  readonly max_sessions_per_account: number;
  /** Identifies and Resumes under way at once; others wait their turn. */
  readonly max_identifies: number;
  /** Positions that are kept for the resumes of one session. */
  readonly max_positions: number;
  /** Bytes of events that all sessions together keep as they were sent; beyond it those with most forget them. */
  readonly max_kept_bytes: number;
  /** About the bytes of guilds and accounts that are kept; beyond it accounts that would bring more cannot identify. */
  readonly max_state_bytes: number;
  /** Bytes of READYs, with the GUILD_CREATEs behind them, that are being made and sent at once; others wait. */
  readonly max_ready_bytes: number;
  /** Bytes that wait for all clients together; beyond it those that read least are cut off. */
  readonly max_waiting_bytes: number;
}

const MiB = 1024 * 1024;

/** More than many systems have file descriptors for: then fewer are taken. */
export const DEFAULT_CONNECTIONS = 20_000;

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => {
    const trusted_proxies = read
      .text('TRUSTED_PROXIES', '')
      .split(/[\s,]+/)
      .filter((cidr) => cidr !== '');
    for (const cidr of trusted_proxies)
      if (parseNetworks([cidr]) === undefined)
        read.problem(`TRUSTED_PROXIES: ${cidr} is not a CIDR or an IP address`);
    const gateway_url = read.url('GATEWAY_URL', ['ws', 'wss'], `ws://${edgeAddress(read)}/gateway`);
    return {
      listen: read.listenAddress('LISTEN', '127.0.0.1:8087'),
      gateway_listen: read.listenAddress('GATEWAY_LISTEN', '127.0.0.1:8088'),
      resume_gateway_url: read.url('RESUME_GATEWAY_URL', ['ws', 'wss'], gateway_url),
      auth_address: read.address('AUTH_ADDRESS', '127.0.0.1:8082'),
      chat_address: read.address('CHAT_ADDRESS', '127.0.0.1:8083'),
      peers_address: read.address('REALTIME_PEERS', '') || undefined,
      trusted_proxies,
      bounds: {
        max_connections: read.integer('REALTIME_MAX_CONNECTIONS', {
          min: 1,
          max: 1_000_000,
          default: DEFAULT_CONNECTIONS,
        }),
        max_connections_per_address: read.integer('REALTIME_MAX_CONNECTIONS_PER_ADDRESS', {
          min: 1,
          max: 1_000_000,
          default: 2_000,
        }),
        max_sessions_per_account: read.integer('REALTIME_MAX_SESSIONS_PER_ACCOUNT', {
          min: 1,
          max: 100_000,
          default: 1_000,
        }),
        max_identifies: read.integer('REALTIME_MAX_IDENTIFIES', { min: 1, max: 10_000, default: 64 }),
        max_positions: read.integer('REALTIME_MAX_POSITIONS', { min: 100, max: 1_000_000, default: 20_000 }),
        max_kept_bytes: read.integer('REALTIME_MAX_KEPT_MIB', { min: 8, max: 65_536, default: 128 }) * MiB,
        max_state_bytes: read.integer('REALTIME_MAX_STATE_MIB', { min: 8, max: 65_536, default: 128 }) * MiB,
        max_ready_bytes: read.integer('REALTIME_MAX_READY_MIB', { min: 1, max: 1_024, default: 32 }) * MiB,
        max_waiting_bytes:
          read.integer('REALTIME_MAX_WAITING_MIB', { min: 8, max: 65_536, default: 128 }) * MiB,
      },
      deflate: read.flag('REALTIME_DEFLATE', false),
      ...readProcessConfig(read, ['LISTEN', 'AUTH_ADDRESS', 'CHAT_ADDRESS', 'REALTIME_PEERS']),
    };
  });
}

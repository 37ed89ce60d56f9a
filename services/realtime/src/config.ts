import { type EnvReader, readEnv } from '@gatehouse/kit/env';
import { readTrustedProxies } from '@gatehouse/kit/net/trusted-proxies';
import { readGatewayUrl } from '@gatehouse/kit/process/edge-address';
import { type ProcessConfig, readProcessConfig } from '@gatehouse/kit/process/process-config';
import { addressSetting, listenSetting, SERVICES } from '@gatehouse/proto/services';

export interface Config extends ProcessConfig {
  readonly listen: string;
  readonly gateway_listen: string;
  readonly resume_gateway_url: string;
  readonly auth_address: string;
  readonly chat_address: string;
  /** Undefined: there are no other replicas. */
  readonly peers_address: string | undefined;
  readonly trusted_proxies: readonly string[];
  readonly bounds: Bounds;
  readonly deflate: boolean;
}

/** Limits on the connections and sessions of clients. */
export interface Bounds {
  readonly max_connections: number;
  readonly max_connections_per_address: number;
  readonly max_sessions_per_account: number;
  readonly max_identifies: number;
  readonly max_positions: number;
  readonly max_kept_bytes: number;
  readonly max_state_bytes: number;
  readonly max_ready_bytes: number;
  readonly max_waiting_bytes: number;
}

const MiB = 1024 * 1024;

/** Many systems have fewer file descriptors: then the bound is lowered. */
export const DEFAULT_CONNECTIONS = 20_000;

/** @throws ConfigError naming every problem */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return readEnv(env, (read) => ({
    listen: read.listenAddress(...listenSetting('realtime')),
    gateway_listen: read.listenAddress('GATEWAY_LISTEN', {
      about: 'host:port of the WebSockets',
      default: `127.0.0.1:${SERVICES.realtime.ports.websocket}`,
    }),
    resume_gateway_url: read.url('RESUME_GATEWAY_URL', {
      about: 'where clients resume: `resume_gateway_url` of READY',
      protocols: ['ws', 'wss'],
      default: readGatewayUrl(read),
      unset: 'GATEWAY_URL',
    }),
    auth_address: read.address(...addressSetting('auth')),
    chat_address: read.address(...addressSetting('chat')),
    peers_address: read.optionalAddress('REALTIME_PEERS', {
      about: 'LISTEN of all replicas, or a name that resolves to all of them; this replica may be among them',
      unset: 'there are no other replicas',
    }),
    trusted_proxies: readTrustedProxies(read),
    bounds: readBounds(read),
    deflate: read.flag('REALTIME_DEFLATE', {
      about: 'whether clients may negotiate compression (permessage-deflate)',
      default: false,
    }),
    ...readProcessConfig(read, ['LISTEN', 'AUTH_ADDRESS', 'CHAT_ADDRESS', 'REALTIME_PEERS']),
  }));
}

function readBounds(read: EnvReader): Bounds {
  const count = (name: string, fallback: number, max: number, about: string): number =>
    read.integer(name, { about, min: 1, max, default: fallback });
  const mebibytes = (name: string, fallback: number, about: string): number =>
    read.integer(name, { about: `MiB ${about}`, min: 8, max: 65_536, default: fallback }) * MiB;
  return {
    max_connections: count('REALTIME_MAX_CONNECTIONS', DEFAULT_CONNECTIONS, 1_000_000, 'maximum connections'),
    max_connections_per_address: count(
      'REALTIME_MAX_CONNECTIONS_PER_ADDRESS',
      2_000,
      1_000_000,
      'maximum connections of one client address; IPv6 addresses count by /64',
    ),
    max_sessions_per_account: count(
      'REALTIME_MAX_SESSIONS_PER_ACCOUNT',
      1_000,
      100_000,
      'maximum sessions of one account, connected or not; the oldest without a connection makes room',
    ),
    max_identifies: count(
      'REALTIME_MAX_IDENTIFIES',
      64,
      10_000,
      'maximum Identifies and Resumes at once; others wait',
    ),
    max_positions: read.integer('REALTIME_MAX_POSITIONS', {
      about: 'events that a session may miss and still be resumed',
      min: 100,
      max: 1_000_000,
      default: 20_000,
    }),
    max_kept_bytes: mebibytes(
      'REALTIME_MAX_KEPT_MIB',
      128,
      'of replay data of all sessions; over it, the sessions with most lose it first',
    ),
    max_state_bytes: mebibytes(
      'REALTIME_MAX_STATE_MIB',
      128,
      'of guilds and accounts in memory; a new account may take half of the rest',
    ),
    max_ready_bytes:
      read.integer('REALTIME_MAX_READY_MIB', {
        about:
          'MiB of READYs, with the GUILD_CREATEs of bots, that are made and sent at once; large ones wait',
        min: 1,
        max: 1_024,
        default: 32,
      }) * MiB,
    max_waiting_bytes: mebibytes(
      'REALTIME_MAX_WAITING_MIB',
      128,
      'of events that clients have not read; over it, the clients with most are disconnected',
    ),
  };
}

import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import { onTestFinished } from 'vitest';
import { type Logger, silentLogger } from '../../src/log.ts';
import type { RpcMetrics } from '../../src/metrics/rpc-metrics.ts';
import { localServers } from '../../src/rpc/direct/local-servers.ts';
import {
  type Connection,
  type ConnectOptions,
  connect,
  type Handlers,
  implement,
  type ServerTls,
  serve,
  type Transport,
} from '../../src/rpc.ts';
import type { Tracer } from '../../src/trace/tracer.ts';
import { CountDefinition, type EchoMessage } from './echo-definition.ts';
import { LOOPBACK } from './loopback.ts';

/** The kinds of link: two over a connection, one within this process. */
export type LinkKind = Transport | 'direct';

/** All servers of a test's process. Messages are frozen. */
export const LOCAL = localServers({ frozen: true });

const everything: PeerRules = { allows: () => true, mayActForCallers: () => true };

/** Runs at the end of the test, in reverse order. */
export function atEnd(close: () => unknown): void {
  onTestFinished(async () => {
    await close();
  });
}

export type EchoHandler = Handlers<typeof CountDefinition>['say'];
export type CountHandler = Handlers<typeof CountDefinition>['count'];
export type EchoConnection = Connection<typeof CountDefinition>;

export interface StartOptions {
  readonly again?: EchoHandler;
  readonly count?: CountHandler;
  readonly address?: string;
  readonly log?: Logger;
  readonly tls?: ServerTls | undefined;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: RpcMetrics;
  /** The access rules for services of this process. Default: everything. */
  readonly peers?: PeerRules;
}

/** A server whose `say` the test implements. */
export async function start(say: EchoHandler, options: StartOptions = {}) {
  const {
    again = say,
    count = nothing,
    address = `${LOOPBACK}:0`,
    log = silentLogger,
    tls,
    tracer,
    metrics,
    peers = everything,
  } = options;
  const implementations = [implement(CountDefinition, { say, again, count })];
  const server = await serve({
    address,
    implementations,
    log,
    tls,
    tracer,
    metrics,
    local: { servers: LOCAL, peers },
  });
  atEnd(() => server.close());
  return server;
}

export function client(
  address: string,
  kind: LinkKind = 'stream',
  options: Partial<ConnectOptions> = {},
): EchoConnection {
  const link = kind === 'direct' ? { local: { servers: LOCAL, name: 'caller' } } : { transport: kind };
  const connection = connect(CountDefinition, { address, ...link, ...options });
  atEnd(() => connection.close());
  return connection;
}

export const text = (value: string): EchoMessage => ({ value });

async function* nothing(): AsyncGenerator<EchoMessage> {
  yield* [];
}

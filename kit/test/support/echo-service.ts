import { onTestFinished } from 'vitest';
import { type Logger, silentLogger } from '../../src/log.ts';
import {
  type Connection,
  type ConnectOptions,
  connect,
  type Handlers,
  implement,
  type ServerTls,
  serve,
} from '../../src/rpc.ts';
import type { Tracer } from '../../src/trace/tracer.ts';
import { CountDefinition, type EchoMessage } from '../echo.ts';
import { LOOPBACK } from './loopback.ts';

/** Runs when the test is over, in reverse order. */
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
}

/** A server that answers `say` as the test wants. */
export async function start(say: EchoHandler, options: StartOptions = {}) {
  const {
    again = say,
    count = nothing,
    address = `${LOOPBACK}:0`,
    log = silentLogger,
    tls,
    tracer,
  } = options;
  const implementations = [implement(CountDefinition, { say, again, count })];
  const server = await serve({ address, implementations, log, tls, tracer });
  atEnd(() => server.close());
  return server;
}

export function client(
  address: string,
  transport: 'stream' | 'unary' = 'stream',
  options: Partial<ConnectOptions> = {},
): EchoConnection {
  const connection = connect(CountDefinition, { address, transport, ...options });
  atEnd(() => connection.close());
  return connection;
}

export const text = (value: string): EchoMessage => ({ value });

async function* nothing(): AsyncGenerator<EchoMessage> {
  yield* [];
}

import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import type { Route } from '../../src/route.ts';
import { start } from '../../src/start.ts';
import { expectEveryAnswer } from './every-answer.ts';
import { type Answer, httpClient, type SendOptions } from './http.ts';
import { type Peers, startPeers } from './peers.ts';

export interface EdgeOptions {
  /** In place of the whole table. */
  readonly routes?: readonly Route[];
  readonly config?: Partial<Config>;
}

/** Long enough for ratelimit's answer on a busy machine. */
const LONG_TIMEOUT = { ratelimit_timeout_ms: 10_000 };

/** The edge on a real port, with its peers behind it. */
export interface Edge {
  readonly peers: Peers;
  readonly host: string;
  readonly port: number;
  /** Its log so far, one entry per line. */
  readonly log: string[];
  /** Sends `GET /guilds/1` below /api/v1 (a target of `//…` is taken from the root) and checks the answer. */
  send(line: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export async function startEdge({ routes, config }: EdgeOptions = {}): Promise<Edge> {
  const peers = await startPeers();
  const log: string[] = [];
  const settings: Config = {
    ...readConfig({ PORT: '0', WEB_APP_URL: 'http://127.0.0.1:8080' }),
    addresses: peers.addresses,
    realtime_address: peers.realtime.address,
    ...LONG_TIMEOUT,
    ...config,
  };
  const destination = { write: (line: string) => log.push(line) };
  const running = await start(settings, {
    log: createLogger({ name: 'gateway', level: settings.log_level, destination }),
    ...(routes === undefined ? {} : { routes }),
  });
  const { hostname: host, port } = new URL(`http://${running.address}`);
  const client = httpClient(host, Number(port));
  return {
    peers,
    host,
    port: Number(port),
    log,
    send: async (line, options) => {
      const answer = await client.send(line, options);
      expectEveryAnswer(answer, line);
      return answer;
    },
    close: async () => {
      client.close();
      await running.close();
      await peers.close();
    },
  };
}

/** An edge for the tests of a file or a describe; before each test its peers answer as usual. */
export function useEdge(options: EdgeOptions = {}): Edge {
  const edge = {} as Edge;
  beforeAll(async () => {
    Object.assign(edge, await startEdge(options));
  });
  beforeEach(() => {
    edge.peers.reset();
    edge.log.length = 0;
  });
  afterAll(() => edge.close());
  return edge;
}

/** The names of the peers' calls for requests, in order. */
export function steps({ peers }: Edge): string[] {
  return peers.calls.map(({ rpc }) => rpc);
}

/** The request of the last call to a service other than ratelimit. */
export function lastRequest<T = unknown>({ peers }: Edge): T {
  const last = peers.calls.at(-1);
  if (last === undefined || last.rpc === 'check') throw new Error('no service was called');
  return last.request as T;
}

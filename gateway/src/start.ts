import { opening, type Running } from '@gatehouse/kit/lifecycle';
import { createLogger, type Logger } from '@gatehouse/kit/log';
import { buildApp } from './app.ts';
import { appCloser } from './app-closer.ts';
import { checkBuckets } from './check-buckets.ts';
import type { Config } from './config.ts';
import type { Row } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { connectServices } from './services.ts';

export interface Overrides {
  readonly log?: Logger;
  readonly rows?: readonly Row[];
}

/** Starts the edge: connects to the services, holds its limits against ratelimit's, and listens. */
export async function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  const log = overrides.log ?? createLogger({ name: 'gateway', level: config.log_level });
  return opening(log, async (parts) => {
    const connections = connectServices(config.addresses, config.rpc_transport, log);
    for (const connection of Object.values(connections)) parts.add('connection', () => connection.close());
    await checkBuckets(connections.ratelimit, log);
    const { trusted_proxies } = config;
    const app = buildApp(overrides.rows ?? ROUTES, { connections, trusted_proxies, log });
    parts.add('http', appCloser(app));
    const url = new URL(await app.listen({ host: config.host, port: config.port }));
    return { address: url.host, close: () => parts.close() };
  });
}

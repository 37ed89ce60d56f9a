import pg from 'pg';
import { forgetPgVariables } from './pg-variables.ts';

/**
 * Options of every connection. A server that accepts connections but does not answer fails the connect; one that
 * disappears is noticed by TCP keep-alive.
 */
export const CONNECTING = { connectionTimeoutMillis: 5_000, keepAlive: true } as const;

/** Runs an action on a new connection. @throws the action's error, or why there is no connection */
export async function withClient<T>(
  config: pg.ClientConfig,
  action: (client: pg.Client) => Promise<T>,
): Promise<T> {
  forgetPgVariables();
  const client = new pg.Client({ ...CONNECTING, ...config });
  client.on('error', () => undefined); // The running query reports it.
  try {
    await connect(client);
    return await action(client);
  } finally {
    await client.end();
  }
}

/** pg's message for a connection timeout. */
const TIME_IS_UP = 'timeout expired';

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof Error) || error.message !== TIME_IS_UP) throw error;
    throw new Error(`the database at ${client.host}:${client.port} does not answer`, { cause: error });
  }
}

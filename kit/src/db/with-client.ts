import pg from 'pg';
import { removePgVariables } from './pg-variables.ts';

/**
 * Options of every connection. A server that accepts connections but does not answer is given up after a timeout; TCP
 * keep-alive detects one that has disappeared.
 */
export const CONNECTION_OPTIONS = { connectionTimeoutMillis: 5_000, keepAlive: true } as const;

/** Runs an action on a new connection. @throws the action's error, or that of the connection */
export async function withClient<T>(
  config: pg.ClientConfig,
  action: (client: pg.Client) => Promise<T>,
): Promise<T> {
  removePgVariables();
  const client = new pg.Client({ ...CONNECTION_OPTIONS, ...config });
  client.on('error', () => undefined); // The running query reports it.
  try {
    await connectOrThrow(client);
    return await action(client);
  } finally {
    await client.end();
  }
}

/** pg's message for a connection timeout. */
const CONNECT_TIMEOUT_MESSAGE = 'timeout expired';

async function connectOrThrow(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof Error) || error.message !== CONNECT_TIMEOUT_MESSAGE) throw error;
    throw new Error(`the database at ${client.host}:${client.port} does not answer`, { cause: error });
  }
}

import { type Connection, type ConnectOptions, connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type { RateLimits, RateLimitsOptions } from './rate-limits.ts';
import { RateLimitsClient } from './rate-limits-client.ts';

export type { RateLimits } from './rate-limits.ts';

type RatelimitConnection = Connection<typeof RatelimitServiceDefinition>;

/** Connects to ratelimit: host:port, or several separated by commas. */
export function connectRateLimits(
  address: string,
  options: RateLimitsOptions & Pick<ConnectOptions, 'transport' | 'tls' | 'metrics' | 'local'> = {},
): RateLimits {
  const { transport, tls, log, metrics, local } = options;
  const connection = connect(RatelimitServiceDefinition, {
    address,
    ...(transport && { transport }),
    ...(tls && { tls }),
    ...(log && { log }),
    metrics,
    local,
  });
  return new ConnectedRateLimits(connection, options);
}

/** A client that closes its connection too. */
class ConnectedRateLimits extends RateLimitsClient {
  readonly #connection: RatelimitConnection;

  constructor(connection: RatelimitConnection, options: RateLimitsOptions) {
    super(connection, options);
    this.#connection = connection;
  }

  override close(): void {
    super.close();
    this.#connection.close();
  }
}

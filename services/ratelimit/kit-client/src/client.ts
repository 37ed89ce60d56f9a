import { type Connection, type ConnectOptions, connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type * as client from '@gatehouse/ratelimit-client/rate-limits';
import { RateLimitsClient } from '@gatehouse/ratelimit-client/rate-limits-client';
import { KitTransport, type Origin } from './kit-transport.ts';

export { KitTransport, type Origin } from './kit-transport.ts';

/** The limits of the API, for the edge and the services. */
export type RateLimits = client.RateLimits<Origin>;

/** Connects to ratelimit: host:port, or several separated by commas. */
export function connectRateLimits(
  address: string,
  options: Omit<client.RateLimitsOptions, 'log'> &
    Pick<ConnectOptions, 'log' | 'transport' | 'tls' | 'metrics' | 'local'> = {},
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
  return new RateLimitsClient(new OwnedTransport(connection), options);
}

/** Closes its connection too. */
class OwnedTransport extends KitTransport {
  readonly #connection: Connection<typeof RatelimitServiceDefinition>;

  constructor(connection: Connection<typeof RatelimitServiceDefinition>) {
    super(connection);
    this.#connection = connection;
  }

  override close(): void {
    this.#connection.close();
  }
}

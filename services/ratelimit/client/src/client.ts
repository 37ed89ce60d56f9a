import { type ConnectOptions, connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type { RateLimits, RateLimitsOptions } from './rate-limits.ts';
import { rateLimitsOver } from './rate-limits-over.ts';

export type { RateLimits } from './rate-limits.ts';

/** Connects to ratelimit: host:port, or several separated by commas. */
export function connectRateLimits(
  address: string,
  options: RateLimitsOptions & Pick<ConnectOptions, 'transport' | 'tls'> = {},
): RateLimits {
  const { transport, tls, log } = options;
  const connection = connect(RatelimitServiceDefinition, {
    address,
    ...(transport && { transport }),
    ...(tls && { tls }),
    ...(log && { log }),
  });
  const limits = rateLimitsOver(connection, options);
  return {
    ...limits,
    close: () => {
      limits.close();
      connection.close();
    },
  };
}

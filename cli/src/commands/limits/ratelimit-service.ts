import type { Client } from '@gatehouse/kit/rpc';
import { type ChargeSet, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { oneAddress } from '../../options/parsers.ts';
import { addressesOf } from '../../profiles/deployment.ts';
import type { Runtime } from '../../runtime.ts';
import { callService } from '../../service/call-service.ts';

export const RATELIMIT_TIMEOUT = { timeoutMs: 5_000 };

export interface RatelimitOptions {
  readonly address: string | undefined;
  readonly json?: boolean;
}

export interface ChargeOptions extends RatelimitOptions {
  readonly bucket: string;
  readonly identities: readonly string[];
  readonly cost: number;
  /** Of a concurrency limit: the ID of the lease. */
  readonly lease?: string;
}

/** A check of this charge alone. */
export function checkOf({ bucket, identities, cost, lease }: ChargeOptions): { sets: ChargeSet[] } {
  const charge = { bucket, identities: [...identities], cost, lease_id: lease ?? null };
  return { sets: [{ charges: [charge] }] };
}

/** Calls one process of ratelimit. Without Redis, each process has separate levels. */
export function callRatelimit<T>(
  { address }: RatelimitOptions,
  runtime: Runtime,
  makeCalls: (client: Client<typeof RatelimitServiceDefinition>) => Promise<T>,
): Promise<T> {
  const service = {
    server: 'ratelimit' as const,
    definition: RatelimitServiceDefinition,
    title: 'The ratelimit service, or the store it needs,',
  };
  const at = address ?? oneAddress(addressesOf(runtime.env, 'ratelimit'));
  return callService(service, at, runtime, makeCalls);
}

import type { AdminWebhook, NoisyWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { NamedAccount } from '../parts/account-link.tsx';

/** A webhook with the names that the console's API knows. */
export interface NamedWebhook extends AdminWebhook {
  readonly creator?: NamedAccount | null;
  readonly guild_name?: string | null;
}

/** One of the noisiest. */
export interface NamedNoisyWebhook extends Omit<NoisyWebhook, 'webhook'> {
  readonly webhook?: NamedWebhook | null;
}

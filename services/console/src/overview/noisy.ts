import type { Logger } from '@gatehouse/kit/log';
import type { BusyApplication } from '@gatehouse/proto/oauth2-admin';
import type { NoisyWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { Clients } from '../clients.ts';
import { gather, READ_TIMEOUT } from '../lookup/gather.ts';
import { accountsOf, type NamedAccount } from '../lookup/names.ts';
import { type DeniedWithState, withStates } from './denied-states.ts';

/** A noisy webhook with its creator, if it is known. */
export interface NamedNoisyWebhook extends NoisyWebhook {
  readonly creator: NamedAccount | undefined;
}

/** The noisiest webhooks, applications and identities of now. */
export interface Noisy {
  readonly webhooks: readonly NamedNoisyWebhook[];
  readonly denied: readonly DeniedWithState[];
  readonly applications: readonly BusyApplication[];
}

/** The noisy, and the parts that are missing because their service is away. */
export interface FoundNoisy {
  readonly noisy: Noisy;
  readonly unavailable: readonly string[];
}

const SHOWN = 10;
/** Services are asked again after this time, however many pages look. */
const KEPT_MS = 10_000;
const NOTHING: FoundNoisy = { noisy: { webhooks: [], denied: [], applications: [] }, unavailable: [] };

/** Makes a function that asks the services who is noisy. Never rejects. */
export function noisyFinder(clients: Clients, log: Logger): () => Promise<FoundNoisy> {
  let asked_ms = Number.NEGATIVE_INFINITY;
  let answer: Promise<FoundNoisy> = Promise.resolve(NOTHING);

  async function ask(): Promise<FoundNoisy> {
    const { found, unavailable } = await gather(
      {
        'webhook-delivery': () => clients.webhooks.listNoisyWebhooks({ limit: SHOWN }, READ_TIMEOUT),
        ratelimit: () => clients.limits.listDenied({ limit: SHOWN }, READ_TIMEOUT),
        oauth2: () => clients.oauth2.listBusyApplications({ limit: SHOWN }, READ_TIMEOUT),
      },
      log,
    );
    const webhooks = found['webhook-delivery']?.webhooks ?? [];
    const [creators, denied] = await Promise.all([
      accountsOf(
        { clients, log },
        webhooks.map(({ webhook }) => webhook?.creator_id),
      ),
      withStates(clients, found.ratelimit?.identities ?? []),
    ]);
    return {
      noisy: {
        webhooks: webhooks.map((one) => ({ ...one, creator: creators.get(one.webhook?.creator_id ?? '') })),
        denied,
        applications: found.oauth2?.applications ?? [],
      },
      unavailable,
    };
  }

  return () => {
    if (performance.now() - asked_ms < KEPT_MS) return answer;
    asked_ms = performance.now();
    answer = ask().catch((error: unknown) => {
      log.warn({ err: error }, 'services do not say who is noisy');
      return NOTHING;
    });
    return answer;
  };
}

import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import type { AdminApplication } from '@gatehouse/proto/oauth2-admin';
import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { Clients } from '../clients.ts';
import type { Deps } from '../deps.ts';
import { askOne, gather, orNothing, READ_TIMEOUT } from './gather.ts';

/** webhook-delivery looks up so many creators at once. */
const MAX_CREATORS = 500;
/** Applications that stand in for the bots while auth is away. */
const MAX_APPLICATIONS = 100;

/** A page of webhooks, newest first. */
export interface WebhookPage {
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The creators of an account's webhooks: itself and its bots. The bot of an application has the application's ID. */
export function creatorsFor(
  account_id: string,
  bots: readonly Pick<AdminAccount, 'id'>[],
  applications: readonly Pick<AdminApplication, 'id' | 'owner_id'>[],
): string[] {
  const owned = applications.filter(({ owner_id }) => owner_id === account_id);
  return [...new Set([account_id, ...[...bots, ...owned].map(({ id }) => id)])].slice(0, MAX_CREATORS);
}

/** The webhooks of these creators. A service that does not know `creator_ids` yet answers with others, which are dropped. */
export async function webhooksBy(
  { webhooks }: Pick<Clients, 'webhooks'>,
  creator_ids: string[],
  page: WebhookPage,
): Promise<AdminWebhook[]> {
  const found = await webhooks.findWebhooks({ query: '', creator_ids, ...page }, READ_TIMEOUT);
  const creators = new Set(creator_ids);
  return found.webhooks.filter(({ creator_id }) => creators.has(creator_id ?? ''));
}

/** The webhooks that an account and its bots made. @throws SERVICE_UNAVAILABLE if webhook-delivery is away */
export async function webhooksOfAccount(
  { clients, log }: Pick<Deps, 'clients' | 'log'>,
  account_id: string,
  page: WebhookPage,
): Promise<AdminWebhook[]> {
  const { found } = await gather(
    {
      account: () => orNothing(clients.auth.getAccount({ account_id }, READ_TIMEOUT)),
      applications: () =>
        clients.oauth2.findApplications({ query: account_id, limit: MAX_APPLICATIONS }, READ_TIMEOUT),
    },
    log,
  );
  const creators = creatorsFor(account_id, found.account?.bots ?? [], found.applications?.applications ?? []);
  return askOne('webhook-delivery', () => webhooksBy(clients, creators, page));
}

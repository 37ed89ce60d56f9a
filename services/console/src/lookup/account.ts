import type { Deps } from '../deps.ts';
import { serviceAway } from '../errors.ts';
import { gather, READ } from './gather.ts';

const MAX_OWNED = 50;

/**
 * An account with all that belongs to it in other services.
 *
 * @throws NOT_FOUND; SERVICE_UNAVAILABLE if auth is away, and nothing else was found
 */
export async function lookUpAccount({ clients, log }: Pick<Deps, 'clients' | 'log'>, account_id: string) {
  const owned = { query: account_id, limit: MAX_OWNED };
  const { found, unavailable } = await gather(
    {
      account: () => clients.auth.getAccount({ account_id }, READ),
      grants: () => clients.oauth2.listAccountGrants({ account_id }, READ),
      applications: () => clients.oauth2.findApplications(owned, READ),
      guilds: () => clients.chat.listAccountGuilds({ account_id }, READ),
      webhooks: () => clients.webhooks.findWebhooks(owned, READ),
    },
    log,
  );
  const applications =
    found.applications?.applications.filter(({ owner_id }) => owner_id === account_id) ?? [];
  const webhooks = found.webhooks?.webhooks.filter(({ creator_id }) => creator_id === account_id) ?? [];
  const answer = {
    ...found.account,
    grants: found.grants?.grants ?? [],
    guilds: found.guilds?.guilds ?? [],
    applications,
    webhooks,
    unavailable,
  };
  const others = answer.grants.length + answer.guilds.length + applications.length + webhooks.length;
  if (found.account === undefined && others === 0) throw serviceAway('auth', undefined);
  return answer;
}

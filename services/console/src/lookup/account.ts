import type { Deps } from '../deps.ts';
import { serviceAway } from '../errors.ts';
import { creatorsFor, webhooksBy } from './account-webhooks.ts';
import { gather, READ_TIMEOUT } from './gather.ts';
import { nameWebhooks } from './names.ts';

const MAX_OWNED = 50;

/**
 * An account with all that belongs to it in other services. Its webhooks are those that it or its bots made. A bot has its
 * own application, and the number of its owner's.
 *
 * @throws NOT_FOUND; SERVICE_UNAVAILABLE if auth is away, and nothing else was found
 */
export async function lookUpAccount(deps: Pick<Deps, 'clients' | 'log'>, account_id: string) {
  const { clients, log } = deps;
  const owned = { query: account_id, limit: MAX_OWNED };
  const first = await gather(
    {
      account: () => clients.auth.getAccount({ account_id }, READ_TIMEOUT),
      grants: () => clients.oauth2.listAccountGrants({ account_id }, READ_TIMEOUT),
      applications: () => clients.oauth2.findApplications(owned, READ_TIMEOUT),
      guilds: () => clients.chat.listAccountGuilds({ account_id }, READ_TIMEOUT),
    },
    log,
  );
  const { account, grants, guilds } = first.found;
  const applications = (first.found.applications?.applications ?? []).filter(
    ({ id, owner_id }) => owner_id === account_id || (id === account_id && account?.account?.bot === true),
  );
  const creators = creatorsFor(account_id, account?.bots ?? [], applications);
  const second = await gather(
    {
      webhooks: async () => ({ list: await webhooksBy(clients, creators, { limit: MAX_OWNED }) }),
      'applications of the owner': async () => countApplications(deps, account?.account?.owner_id),
    },
    log,
  );
  const webhooks = await nameWebhooks(deps, second.found.webhooks?.list ?? []);
  const answer = {
    ...account,
    grants: grants?.grants ?? [],
    guilds: guilds?.guilds ?? [],
    applications,
    webhooks,
    owner_applications: second.found['applications of the owner']?.count,
    unavailable: [...first.unavailable, ...second.unavailable].toSorted(),
  };
  const others = answer.grants.length + answer.guilds.length + applications.length + webhooks.length;
  if (account === undefined && others === 0) throw serviceAway('auth', undefined);
  return answer;
}

/** The applications of an owner, counted up to 50. Undefined for none. */
async function countApplications({ clients }: Pick<Deps, 'clients'>, owner_id: string | null | undefined) {
  if (owner_id == null) return undefined;
  const { applications } = await clients.oauth2.findApplications(
    { query: owner_id, limit: MAX_OWNED },
    READ_TIMEOUT,
  );
  return { count: applications.filter((one) => one.owner_id === owner_id).length };
}

import type { DeniedIdentity } from '@gatehouse/proto/ratelimit-admin';
import type { Clients } from '../clients.ts';
import { READ_TIMEOUT } from '../lookup/gather.ts';

/** Why what an identity names is out of use: itself, or with its owner or creator. */
export type OutOfUse = 'suspended' | 'disabled' | 'owner_suspended' | 'creator_suspended';

export interface DeniedWithState extends DeniedIdentity {
  /** Null if it is in use, and while that is unknown. */
  readonly state: OutOfUse | null;
}

type Owners = Pick<Clients, 'auth' | 'oauth2' | 'webhooks'>;

/** Adds what is out of use. Never rejects. */
export function withStates(
  clients: Owners,
  identities: readonly DeniedIdentity[],
): Promise<DeniedWithState[]> {
  const states = new Map<string, Promise<OutOfUse | null>>();
  const stateOf = (identity: string): Promise<OutOfUse | null> => {
    const known = states.get(identity) ?? ask(clients, identity).catch(() => null);
    states.set(identity, known);
    return known;
  };
  return Promise.all(
    identities.map(async (one) => ({ ...one, state: one.identity ? await stateOf(one.identity) : null })),
  );
}

async function ask({ auth, oauth2, webhooks }: Owners, identity: string): Promise<OutOfUse | null> {
  const [kind, id = ''] = identity.split(':');
  if (kind === 'account') {
    const { account } = await auth.getAccount({ account_id: id }, READ_TIMEOUT);
    if (account?.suspension) return 'suspended';
    return account?.owner_suspension ? 'owner_suspended' : null;
  }
  if (kind === 'application') {
    const { application } = await oauth2.getAdminApplication({ application_id: id }, READ_TIMEOUT);
    if (application?.disablement) return 'disabled';
    return application?.owner_suspended ? 'owner_suspended' : null;
  }
  if (kind !== 'webhook') return null;
  const { webhook } = await webhooks.getAdminWebhook({ webhook_id: id }, READ_TIMEOUT);
  if (webhook?.disablement) return 'disabled';
  return webhook?.creator_suspended ? 'creator_suspended' : null;
}

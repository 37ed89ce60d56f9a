import { BUCKETS } from '@gatehouse/proto/buckets';
import { describe, expect, it } from 'vitest';
import type { KeyPart } from '../../src/limit/identity.ts';
import type { RouteBucket } from '../../src/route.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { useEdge } from '../support/edge.ts';
import { charged, SESSION } from '../support/peers.ts';
import { currentUser } from '../support/samples.ts';

const ACCOUNT = 'account:1001';
const CLIENT = 'credential:1:9001';

/** The identities of a session's request, if each parameter of its path is 7 and its body has Ann's address. */
const IDENTITIES: Readonly<Record<Exclude<KeyPart, 'client_ip_or_account'>, string>> = {
  ip: 'ip:127.0.0.1',
  subnet: 'subnet:127.0.0.0/24',
  client: CLIENT,
  account: ACCOUNT,
  account_or_client: ACCOUNT,
  login_name: 'ann@example.com',
  email: 'ann@example.com',
  guild: 'guild:7',
  channel: 'channel:7',
  webhook: 'webhook:7',
  application: 'application:7',
  stream: 'stream:7',
  target_user: 'user:7',
  invite_code: 'invite:7',
  channel_or_guild: 'channel:7',
};

describe('the buckets of each route', () => {
  const edge = useEdge();

  it.each(ROUTES.map((route) => [`${route.verb} ${route.path}`, route] as const))(
    '%s',
    async (line, route) => {
      const account = { ...currentUser, email: 'of@the.account' };
      edge.peers.answers.auth = { getCurrentUser: () => ({ user: account }) };
      await edge.send(line.replaceAll(/\{\w+\}/g, '7'), {
        headers: { authorization: `Bearer ${SESSION}` },
        ...(route.verb === 'POST' ? { body: { email: ' Ann@example.com' } } : {}),
      });
      const address = route.email_of === 'account' ? account.email : IDENTITIES.email;
      const own = route.buckets.map((bucket) => chargeOf(bucket, address)).sort();
      const [first = [], ...rest] = charged(edge.peers);
      const sets = route.global_exempt ? [first, ...rest] : rest;
      if (!route.global_exempt) expect(first).toEqual([`global ${CLIENT}`]);
      expect(sets.filter((set) => set.length > 0).map((set) => [...set].sort())).toEqual(
        own.length === 0 ? [] : [own],
      );
    },
  );
});

/** A bucket with its key: the reference's, or the route's choice. */
function chargeOf(bucket: RouteBucket, email: string): string {
  const [name, choice] = typeof bucket === 'string' ? [bucket] : bucket;
  const parts = BUCKETS[name].key.map((part) => {
    if (part === 'email') return email;
    if (part !== 'client_ip_or_account') return IDENTITIES[part];
    if (choice === undefined) throw new Error(`${name} differs by route: the route must choose`);
    return IDENTITIES[choice];
  });
  return [name, ...parts].join(' ');
}

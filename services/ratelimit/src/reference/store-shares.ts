import type { KeyPart } from './read-rows.ts';

/**
 * How the places of a full store are divided, in eighths, by what keys name. Anybody invents as many login
 * names, addresses of mail and IDs as they like, and who has a network of IPv6 as many addresses; accounts and
 * credentials have to be made. None of these takes the places of another.
 */
const SHARES = {
  /** Accounts and credentials; or the IP, where no live credential came. */
  callers: 2,
  addresses: 2,
  webhooks: 1,
  /** Other IDs and codes of a path, whoever names them. */
  named: 1,
  /** Login names and e-mail addresses. */
  submitted: 2,
} as const;
type Group = keyof typeof SHARES;

/** For a memory store: the shares of the groups, in the order of their numbers. */
export const STORE_SHARES: readonly number[] = Object.values(SHARES);

/** The number of the group that buckets with such a key belong to: of several parts, what is easiest to invent. */
export function groupOf(key: readonly KeyPart[]): number {
  const groups = new Set<Group>(key.map((part) => GROUPS[part]));
  const group = EASIEST_FIRST.find((one) => groups.has(one)) ?? 'callers';
  return Object.keys(SHARES).indexOf(group);
}

const EASIEST_FIRST: readonly Group[] = ['submitted', 'named', 'webhooks', 'addresses', 'callers'];

const GROUPS: Readonly<Record<KeyPart, Group>> = {
  account: 'callers',
  client: 'callers',
  account_or_client: 'callers',
  client_ip_or_account: 'callers',
  profile: 'callers',
  ip: 'addresses',
  subnet: 'addresses',
  webhook: 'webhooks',
  guild: 'named',
  channel: 'named',
  application: 'named',
  stream: 'named',
  target_user: 'named',
  invite_code: 'named',
  channel_or_guild: 'named',
  login_name: 'submitted',
  email: 'submitted',
};

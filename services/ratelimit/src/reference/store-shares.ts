import type { KeyPart } from './read-rows.ts';

/**
 * The shares of a full store's slots, in eighths, by the kind of key. Anybody can invent any number of login names, email
 * addresses and IDs, and the owner of an IPv6 network any number of addresses; accounts and credentials must be created.
 * No kind takes another one's share.
 */
const SHARES = {
  /** Accounts and credentials; or the IP, without a live credential. */
  callers: 2,
  addresses: 2,
  webhooks: 1,
  /** Other IDs and codes of a path. */
  named: 1,
  /** Login names and e-mail addresses. */
  submitted: 2,
} as const;
type Group = keyof typeof SHARES;

/** The shares of the groups, by index, for a MemoryStore. */
export const STORE_SHARES: readonly number[] = Object.values(SHARES);

/** The group of all limits of descriptors. It has a share only if there are some. */
export const DESCRIPTOR_GROUP = STORE_SHARES.length;
export const SHARES_WITH_DESCRIPTORS: readonly number[] = [...STORE_SHARES, 2];

/** The index of a key's group: that of its part that is easiest to invent. */
export function groupOf(key: readonly KeyPart[]): number {
  const groups = new Set<Group>(key.map((part) => GROUPS[part]));
  const group = EASIEST_FIRST.find((name) => groups.has(name)) ?? 'callers';
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

import { isIP, isIPv4, SocketAddress } from 'node:net';
import { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindAccountsRequest } from '@gatehouse/proto/auth-admin';
import { failNul, readEmailKey } from '../accounts/registration.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import type { AccountSearch } from '../store/admin/admin-accounts.ts';

const QUERY_MAX = 320;
const LIMIT = { fallback: 50, max: 100 };

/**
 * What a query of an operator may mean: an ID, an e-mail address, an IP address, the start of a user name, or several of
 * these.
 *
 * @throws INVALID_FORM_BODY
 */
export function readAccountSearch({ query, before, limit }: FindAccountsRequest): AccountSearch {
  const form = new Form();
  failNul(form, 'query', query);
  const text = form.text('query', query, { min: 1, max: QUERY_MAX, trim: true });
  if (before != null && !isSnowflake(before))
    form.fail('before', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  const count = limit ?? LIMIT.fallback;
  if (count < 1 || count > LIMIT.max)
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${LIMIT.max}.`);
  form.check();
  return {
    id: isSnowflake(text) ? text : null,
    email_key: readEmailKey(text) ?? null,
    username_prefix: /^[A-Za-z0-9_.]{1,32}$/.test(text) ? uniqueKey(text) : null,
    ips: formsOf(text),
    before: before ?? null,
    limit: count,
  };
}

/** The forms in which a session may have this address. None if it is no address. */
function formsOf(text: string): readonly string[] {
  const family = isIP(text);
  if (family === 0) return [];
  const { address } = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
  const mapped = address.replace(/^::ffff:/, '');
  const forms = isIPv4(mapped) ? [mapped, `::ffff:${mapped}`] : [address];
  return [...new Set([text, ...forms])];
}

import { isIP, isIPv4, SocketAddress } from 'node:net';
import { Form } from '@gatehouse/kit/form';
import { readOperatorIds, readOperatorSearch } from '@gatehouse/kit/operator-form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindAccountsRequest } from '@gatehouse/proto/auth-admin';
import { failNul, readEmailKey } from '../accounts/registration.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import type { AccountSearch } from '../store/admin/admin-accounts.ts';

/**
 * What a query of an operator may mean: an ID, an e-mail address, an IP address, the start of a user name, or several of
 * these.
 *
 * @throws INVALID_FORM_BODY
 */
export function readAccountSearch(request: FindAccountsRequest): AccountSearch {
  const form = new Form();
  failNul(form, 'query', request.query);
  const { query: text, ...page } = readOperatorSearch(form, request);
  if (text === '') form.fail('query', 'STRING_LENGTH_INVALID', 'Must not be empty.');
  form.check();
  return {
    id: isSnowflake(text) ? text : null,
    email_key: readEmailKey(text) ?? null,
    username_prefix: /^[A-Za-z0-9_.]{1,32}$/.test(text) ? uniqueKey(text) : null,
    ips: formsOf(text),
    ...page,
  };
}

/** The IDs in place of a query. @throws INVALID_FORM_BODY */
export function readAccountIds({ ids }: FindAccountsRequest): readonly string[] {
  const form = new Form();
  readOperatorIds(form, 'ids', ids);
  form.check();
  return ids;
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

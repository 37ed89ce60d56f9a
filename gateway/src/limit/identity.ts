import { createHash } from 'node:crypto';
import { ipGroup, ipSubnet } from '@gatehouse/kit/net/client-ip';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { BUCKETS, BucketName } from '@gatehouse/proto/buckets';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { RequestContext } from '../request-context.ts';
import type { KeyChoice } from '../route.ts';

/** Ratelimit's maximum length of an identity. */
const MAX_IDENTITY_BYTES = 512;

export type KeyPart = (typeof BUCKETS)[BucketName]['key'][number];

/**
 * The request's identity for one part of a bucket's key; undefined if the request does not name it. `email` is the
 * address or login name in the request.
 */
export function identity(
  part: KeyPart | KeyChoice,
  context: RequestContext,
  caller: Caller,
  email: string | undefined,
): string | undefined {
  switch (part) {
    case 'account':
    case 'account_or_client':
      return caller.account_id === '' ? addressIdentity(context) : `account:${caller.account_id}`;
    case 'client':
      return clientOf(context, caller);
    case 'ip':
      return addressIdentity(context);
    case 'subnet':
      return `subnet:${ipSubnet(context.ip)}`;
    case 'login_name':
    case 'email':
      return emailIdentity(email);
    case 'guild':
    case 'channel':
    case 'webhook':
    case 'application':
    case 'stream':
      return resourceIdentity(context, part, `${part}_id`);
    case 'target_user':
      return resourceIdentity(context, 'user', 'user_id');
    case 'invite_code':
      return resourceIdentity(context, 'invite', 'code');
    case 'channel_or_guild':
      return (
        resourceIdentity(context, 'channel', 'channel_id') ?? resourceIdentity(context, 'guild', 'guild_id')
      );
    case 'client_ip_or_account':
      throw new Error('client, address or account differs by route: the route must choose');
  }
}

/** A live credential, otherwise the address: an invalid credential does not start a bucket of its own. */
export function clientOf(context: RequestContext, { kind, credential_id }: Caller): string {
  return credential_id === '' ? addressIdentity(context) : `credential:${kind}:${credential_id}`;
}

/** Whether this part of a key is the caller: an account or a live credential, and the address only without one. */
export function isCaller(part: KeyPart | KeyChoice): boolean {
  return part === 'account' || part === 'client' || part === 'account_or_client';
}

/**
 * Whether this part of a key is personal: a login name or an email address. It comes from the body, which must be
 * read first, and is stored as a keyed hash.
 */
export function isPersonal(part: string): boolean {
  return part === 'login_name' || part === 'email';
}

function addressIdentity({ ip }: RequestContext): string {
  return `ip:${ipGroup(ip)}`;
}

/** An ID of the path. A malformed one counts too, as a digest of bounded length. */
function resourceIdentity({ request }: RequestContext, kind: string, param: string): string | undefined {
  const value = (request.params as Record<string, string | undefined>)[param];
  if (value === undefined) return undefined;
  return isSnowflake(value) ? `${kind}:${value}` : `${kind}:malformed:${sha256(value)}`;
}

/** A login name or email address, trimmed and in lower case; a digest if it is too long. */
function emailIdentity(email: string | undefined): string | undefined {
  const value = email?.trim().toLowerCase();
  if (value === undefined || value === '') return undefined;
  return Buffer.byteLength(value) <= MAX_IDENTITY_BYTES ? value : `long:${sha256(value)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

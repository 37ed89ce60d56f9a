import { createHash } from 'node:crypto';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { BUCKETS, BucketName } from '@gatehouse/proto/buckets';
import { ipGroup, ipSubnet } from '../client-ip.ts';
import type { RequestContext } from '../request-context.ts';
import type { KeyChoice } from '../route.ts';

/** What ratelimit takes for one identity. */
const MAX_IDENTITY_BYTES = 512;

export type KeyPart = (typeof BUCKETS)[BucketName]['key'][number];

/** Who or what a request is, to a bucket whose key has that part; undefined when it names nobody. */
export function identity(part: KeyPart | KeyChoice, context: RequestContext): string | undefined {
  switch (part) {
    case 'account':
    case 'account_or_client':
      return context.caller.account_id === '' ? address(context) : `account:${context.caller.account_id}`;
    case 'client':
      return clientOf(context);
    case 'ip':
      return address(context);
    case 'subnet':
      return `subnet:${ipSubnet(context.ip)}`;
    case 'login_name':
    case 'email':
      return submitted(context.naming.email);
    case 'guild':
    case 'channel':
    case 'webhook':
    case 'application':
    case 'stream':
      return resource(context, part, `${part}_id`);
    case 'target_user':
      return resource(context, 'user', 'user_id');
    case 'invite_code':
      return resource(context, 'invite', 'code');
    case 'channel_or_guild':
      return resource(context, 'channel', 'channel_id') ?? resource(context, 'guild', 'guild_id');
    case 'client_ip_or_account':
      throw new Error('client, address or account differs by route: the row must choose');
  }
}

/** A live credential, or the address: garbage in the header buys no fresh bucket. */
export function clientOf(context: RequestContext): string {
  const { kind, credential_id } = context.caller;
  return credential_id === '' ? address(context) : `credential:${kind}:${credential_id}`;
}

/**
 * Whether identities of a part say something about a person that nobody is to read: wherever a key is
 * kept, a keyed hash stands for them. They come from the body, which has to be read first.
 */
export function isHidden(part: string): boolean {
  return part === 'login_name' || part === 'email';
}

function address({ ip }: RequestContext): string {
  return `ip:${ipGroup(ip)}`;
}

/** An ID of the path. What is no ID counts too, under a digest that bounds its length. */
function resource({ request }: RequestContext, kind: string, param: string): string | undefined {
  const value = (request.params as Record<string, string | undefined>)[param];
  if (value === undefined) return undefined;
  return isSnowflake(value) ? `${kind}:${value}` : `${kind}:malformed:${sha256(value)}`;
}

/** A login name or e-mail address as it is, trimmed and in lower case; a digest of one that is too long. */
function submitted(email: string | undefined): string | undefined {
  const value = email?.trim().toLowerCase();
  if (value === undefined || value === '') return undefined;
  return Buffer.byteLength(value) <= MAX_IDENTITY_BYTES ? value : `long:${sha256(value)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

import { createHash } from 'node:crypto';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import type { Charge, ChargeSet, Denial } from '@gatehouse/proto/ratelimit';
import { ipGroup, ipSubnet } from '../client-ip.ts';
import type { Exchange } from '../exchange.ts';
import { RateLimited } from '../http-error.ts';
import type { KeyChoice, Row, RowBucket } from '../route.ts';
import type { Connections } from '../services.ts';
import { bodyMember } from './request.ts';

const CHECK_TIMEOUT_MS = 1_000;

/**
 * Charges what the request counts against: the global bucket first, which stays charged, then the
 * route's own buckets, all or none (contract 4, section 4).
 *
 * @throws RateLimited
 */
export async function limit(
  row: Row | undefined,
  exchange: Exchange,
  connections: Connections,
): Promise<void> {
  const sets: ChargeSet[] = [];
  if (!isGlobalExempt(row, exchange)) sets.push({ charges: [charge('global', [client(exchange)])] });
  const charges = row === undefined ? [] : chargesOf(row, exchange);
  if (charges.length > 0) sets.push({ charges });
  if (sets.length === 0) return;
  const { denial } = await connections.ratelimit.client.check(
    { sets },
    { timeoutMs: CHECK_TIMEOUT_MS, requestId: exchange.requestId },
  );
  if (denial !== null && denial !== undefined) throw rateLimited(denial);
}

/** Whether a row's buckets can only be named once its body is read. */
export function limitsNeedBody(row: Row): boolean {
  return row.buckets.some((bucket) => {
    const key: readonly string[] = BUCKETS[nameOf(bucket)].key;
    return key.includes('login_name') || key.includes('email');
  });
}

/** Specification 3, mechanics 6; for rows that are exempt themselves the table says so. */
function isGlobalExempt(row: Row | undefined, { request, authorizationSent }: Exchange): boolean {
  if (row?.global_exempt === true) return true;
  return !authorizationSent && (request.method === 'GET' || request.method === 'HEAD');
}

function chargesOf(row: Row, exchange: Exchange): Charge[] {
  const charges: Charge[] = [];
  for (const bucket of row.buckets) {
    const name = nameOf(bucket);
    const choice = typeof bucket === 'string' ? undefined : bucket[1];
    const identities = BUCKETS[name].key.map((part) => identity(choice ?? part, exchange));
    // A body that names no usable identity leaves that bucket out.
    if (identities.every((one) => one !== undefined)) charges.push(charge(name, identities));
  }
  return charges;
}

function nameOf(bucket: RowBucket): BucketName {
  return typeof bucket === 'string' ? bucket : bucket[0];
}

function charge(bucket: BucketName, identities: string[]): Charge {
  return { bucket, identities };
}

type KeyPart = (typeof BUCKETS)[BucketName]['key'][number];

function identity(part: KeyPart | KeyChoice, exchange: Exchange): string | undefined {
  switch (part) {
    case 'account':
    case 'account_or_client':
      return exchange.caller.account_id === '' ? address(exchange) : `account:${exchange.caller.account_id}`;
    case 'client':
      return client(exchange);
    case 'ip':
      return address(exchange);
    case 'subnet':
      return `subnet:${ipSubnet(exchange.ip)}`;
    case 'login_name':
    case 'email':
      return hashedMember(exchange, 'email');
    case 'guild':
    case 'channel':
    case 'webhook':
    case 'application':
    case 'stream':
      return resource(exchange, part, `${part}_id`);
    case 'target_user':
      return resource(exchange, 'user', 'user_id');
    case 'invite_code':
      return resource(exchange, 'invite', 'code');
    case 'channel_or_guild':
      return resource(exchange, 'channel', 'channel_id') ?? resource(exchange, 'guild', 'guild_id');
    case 'client_ip_or_account':
      throw new Error('specification 1 says at each route which it is: the row must choose');
  }
}

/** A live credential, or the address: garbage in the header buys no fresh bucket. */
function client(exchange: Exchange): string {
  const { kind, credential_id } = exchange.caller;
  return credential_id === '' ? address(exchange) : `credential:${kind}:${credential_id}`;
}

function address({ ip }: Exchange): string {
  return `ip:${ipGroup(ip)}`;
}

/** An ID of the path. What is no ID counts too, under a digest that bounds its length. */
function resource({ request }: Exchange, kind: string, param: string): string | undefined {
  const value = (request.params as Record<string, string | undefined>)[param];
  if (value === undefined) return undefined;
  return isSnowflake(value) ? `${kind}:${value}` : `${kind}:malformed:${sha256(value)}`;
}

function hashedMember(exchange: Exchange, member: string): string | undefined {
  const value = bodyMember(exchange, member)?.trim().toLowerCase();
  return value === undefined || value === '' ? undefined : `${member}:${sha256(value)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The 429 of specification 3, in its rounding: up, always. */
function rateLimited({ bucket, limit: capacity, retry_after_us, empty_after_us }: Denial): RateLimited {
  const isGlobal = bucket === 'global';
  const retryAfter = Math.max(Math.ceil(retry_after_us / 1000), 1) / 1000;
  const seconds = Math.ceil(retryAfter);
  const headers: Record<string, string> = {
    'retry-after': String(seconds),
    'x-ratelimit-scope': isGlobal ? 'global' : 'user',
  };
  if (isGlobal) {
    headers['x-ratelimit-global'] = 'true';
  } else {
    headers['x-ratelimit-limit'] = String(capacity);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = String(Math.ceil((Date.now() + empty_after_us / 1000) / 1000));
    headers['x-ratelimit-reset-after'] = (Math.ceil(empty_after_us / 1000) / 1000).toFixed(3);
    headers['x-ratelimit-bucket'] = bucketId(bucket);
  }
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  const message = `You are being rate limited. Try again in ${wait}.`;
  return new RateLimited(message, { global: isGlobal, retry_after: retryAfter }, headers);
}

const bucketIds = new Map<string, string>();

/** The first 16 hexadecimal digits of SHA-256 of the bucket's name. */
function bucketId(name: string): string {
  let id = bucketIds.get(name);
  if (id === undefined) {
    id = createHash('sha256').update(name).digest('hex').slice(0, 16);
    bucketIds.set(name, id);
  }
  return id;
}

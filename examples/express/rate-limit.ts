import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type Denial, type RateLimits, tooManyRequests } from '@gatehouse/ratelimit-client';
import type { Request, RequestHandler } from 'express';

/** A bucket, and the identities that select one for a request. */
export interface Limit {
  readonly bucket: string;
  identities(request: Request): string[];
  readonly cost?: number;
}

/** Charges all of these limits for each request, or none of them and answers 429. */
export function rateLimit(limits: RateLimits, ...charged: readonly Limit[]): RequestHandler {
  return async (request, response, next) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const charges = charged.map(({ identities, ...charge }) => ({
      ...charge,
      identities: identities(request),
    }));
    let denial: Denial | undefined;
    try {
      denial = await limits.check([{ charges }], { signal: left.signal });
    } catch (error) {
      if (left.signal.aborted) return; // nobody waits for the response
      throw error;
    }
    if (denial === undefined) return next();
    const { headers, members } = tooManyRequests(denial, Date.now());
    response.status(429).set(headers).json(members);
  };
}

/** A digest, so that the key itself stays here; the client's address without a key. */
export function byApiKey(request: Request): string[] {
  const key = request.get('x-api-key');
  if (key === undefined) return byIp(request);
  return [`credential:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`];
}

/** The client's address: IPv4, or the /64 of IPv6. Behind a proxy, set Express' "trust proxy". */
export function byIp({ ip = '' }: Request): string[] {
  const address = ip.replace(/^::ffff:(?=\d+\.)/, '');
  return [`ip:${isIPv6(address) ? networkOf(address) : address}`];
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + last.length < 8) groups.push('0');
  return `${[...groups, ...last].slice(0, 4).join(':')}::/64`;
}

import { Form } from '@gatehouse/kit/form';
import type { CheckRequest } from '@gatehouse/proto/ratelimit';
import type { FastifyInstance } from 'fastify';
import { bodyOf, readText } from '../body.ts';
import type { Deps } from '../deps.ts';
import { countedIdentity } from '../lookup/counted-identity.ts';
import { askOne, READ_TIMEOUT } from '../lookup/gather.ts';
import { readParameter } from './query.ts';

const MAX_IDENTITY = 512;
const MAX_IDENTITIES = 16;
const MAX_CURSOR = 2_048;
const PAGE = 100;
const DENIED = 1_000;
const SERVICE = 'ratelimit';

export function registerLimits(app: FastifyInstance, { clients: { limits, ratelimit } }: Deps): void {
  app.get('/api/limits/denied', async () => {
    const found = await askOne(SERVICE, () => limits.listDenied({ limit: DENIED }, READ_TIMEOUT));
    return { items: found.identities };
  });
  app.get('/api/limits/identity', async (request) => {
    const form = new Form();
    const identity = countedIdentity(readParameter(form, request, 'identity', MAX_IDENTITY));
    if (identity === '')
      form.fail('identity', 'STRING_LENGTH_INVALID', 'Must be an identity, such as account:1.');
    form.check();
    const found = await askOne(SERVICE, () => limits.lookUpIdentity({ identity }, READ_TIMEOUT));
    return { identity, ...found };
  });
  app.get('/api/limits/buckets', async () => {
    const { buckets, revision } = await askOne(SERVICE, () => ratelimit.listBuckets({}, READ_TIMEOUT));
    return { items: buckets, revision };
  });
  app.get('/api/limits/overrides', async (request) => {
    const form = new Form();
    const after = readParameter(form, request, 'after', MAX_CURSOR) || undefined;
    form.check();
    const found = await askOne(SERVICE, () => limits.listOverrides({ after, limit: PAGE }, READ_TIMEOUT));
    return { items: found.overrides, ...(found.next != null && { next: found.next }) };
  });
  // It changes nothing: a POST, because identities do not belong into an address.
  app.post('/api/limits/explain', async (request) => {
    const check = readCheck(request.body);
    return askOne(SERVICE, () => ratelimit.explain({ check }, READ_TIMEOUT));
  });
}

function readCheck(value: unknown): CheckRequest {
  const form = new Form();
  const body = bodyOf(value);
  const bucket = readText(form, body, 'bucket', { min: 1, max: 128 });
  const given: unknown = body.identities;
  const identities = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  if (!Array.isArray(given) || identities.length !== given.length || identities.length > MAX_IDENTITIES)
    form.fail(
      'identities',
      'INVALID_FORMAT',
      `Must be at most ${MAX_IDENTITIES} texts, in the order of the key.`,
    );
  form.check();
  return { sets: [{ charges: [{ bucket, identities: identities.map(countedIdentity) }] }] };
}

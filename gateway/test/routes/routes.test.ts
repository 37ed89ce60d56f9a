import { messageSchema } from '@gatehouse/kit/json';
import { BUCKETS } from '@gatehouse/proto/buckets';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { messageName } from '../../src/service-definitions.ts';

/** The path's parameter for each part of a bucket's key (docs/rate-limits.md#keys). */
const PARAMETER: Readonly<Record<string, readonly string[]>> = {
  channel: ['channel_id'],
  guild: ['guild_id'],
  webhook: ['webhook_id'],
  application: ['application_id'],
  stream: ['stream_id'],
  target_user: ['user_id'],
  invite_code: ['code'],
  channel_or_guild: ['channel_id', 'guild_id'],
};

describe.each(ROUTES.map((route) => [`${route.verb} ${route.path}`, route] as const))(
  'the route %s',
  (_, route) => {
    it('has in its path every resource that keys one of its buckets', () => {
      for (const bucket of route.buckets) {
        const [name, choice] = typeof bucket === 'string' ? [bucket, undefined] : bucket;
        const key: readonly string[] = BUCKETS[name].key;
        for (const part of key) {
          const sources = PARAMETER[part];
          if (sources !== undefined)
            expect(route.params).toEqual(expect.arrayContaining([expect.toBeOneOf([...sources])]));
        }
        expect(key.includes('client_ip_or_account'), 'a choice if one is needed').toBe(choice !== undefined);
      }
    });

    it('checks every ID of its path as a snowflake', () => {
      const { fields } = messageSchema(messageName(route, 'Request'));
      for (const param of route.params.filter((name) => name.endsWith('_id'))) {
        expect(fields.find(({ name }) => name === param)?.kind).toBe('snowflake');
      }
    });

    it('is the only one of its verb and path', () => {
      const shape = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
      const same = ROUTES.filter(
        (candidate) => candidate.verb === route.verb && shape(candidate.path) === shape(route.path),
      );
      expect(same).toHaveLength(1);
    });
  },
);

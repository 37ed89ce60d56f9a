import { describe, expect, test } from 'vitest';
import { HEADER } from '../envoy/envoy-configuration.ts';
import { envoyIsMissing, startEnvoy } from '../envoy/real-envoy.ts';
import { LONG_TIMEOUT } from '../support.ts';
import { limit, serveDescriptors } from './domain.ts';

const LIMITS = `
  - {key: user, ${limit(3)}}
  - {key: user, value: banned, ${limit(0)}}
  - {key: watched, shadow_mode: true, ${limit(1)}}
  - key: service
    value: search
    descriptors:
      - {key: user, ${limit(2, 'hour', ', name: searches')}}
`;

describe.skipIf(envoyIsMissing)('Envoy itself, with descriptors of a file', () => {
  test('limits by values, shows headers, respects shadow mode, and brings limits of its own', async () => {
    const d = await serveDescriptors(LIMITS, { headers: ['x-ratelimit', 'ietf'] });
    const routes = {
      user: { descriptors: [{ user: HEADER }] },
      watched: { descriptors: [{ watched: HEADER }] },
      search: { descriptors: [{ service: 'search', user: HEADER }, { user: HEADER }] },
      own: { descriptors: [{ team: HEADER }], override: true },
    };
    const envoy = await startEnvoy(d.address, routes, 'd');
    try {
      const get = async (route: keyof typeof routes, value: string) => {
        const response = await envoy.get(route, value);
        await response.text();
        return { status: response.status, headers: Object.fromEntries(response.headers) };
      };
      const statuses = async (count: number, route: keyof typeof routes, value: string) => {
        const answers = await Promise.all(Array.from({ length: count }, () => get(route, value)));
        return answers.map(({ status }) => status).sort();
      };

      expect(await get('user', 'a')).toMatchObject({
        status: 200,
        headers: {
          'x-ratelimit-limit': '3',
          'x-ratelimit-remaining': '2',
          'x-ratelimit-reset': '20',
          'ratelimit-policy': '"d.user";q=3;w=60',
          ratelimit: '"d.user";r=2;t=20',
        },
      });
      expect(await statuses(4, 'user', 'a')).toEqual([200, 200, 429, 429]);
      expect(await get('user', 'a')).toMatchObject({
        status: 429,
        headers: { 'retry-after': '20', 'x-ratelimit-remaining': '0', ratelimit: '"d.user";r=0;t=20' },
      });
      expect(await statuses(2, 'user', 'banned')).toEqual([429, 429]);
      expect(await statuses(5, 'watched', 'a')).toEqual([200, 200, 200, 200, 200]);

      // Two descriptors: the stricter one denies, and then neither is charged.
      expect(await statuses(4, 'search', 'b')).toEqual([200, 200, 429, 429]);
      expect(await get('user', 'b')).toMatchObject({
        status: 200,
        headers: { 'x-ratelimit-remaining': '0' },
      });

      expect(await get('own', 'c')).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': '2' } });
      expect(await statuses(3, 'own', 'c')).toEqual([200, 429, 429]);
      expect(await statuses(1, 'own', 'e')).toEqual([200]);

      const { buckets } = await d.peer.client.getStatistics({}, LONG_TIMEOUT);
      expect(buckets).toContainEqual({ bucket: 'd.watched', admitted: 1, denied: 4, shadowed: 4 });
    } finally {
      await envoy.close();
    }
  });
});

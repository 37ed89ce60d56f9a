import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { rolling } from '@gatehouse/drill/rolling/rolling';
import { envoyIsMissing } from '@gatehouse/stack/envoy/running-envoy';
import { describe, expect, it } from 'vitest';

const SLOW = 240_000;

describe.skipIf(envoyIsMissing || noRedisProgram())('two replicas of each process', () => {
  it('restart one by one under load without a failed request or a missed event', {
    timeout: SLOW,
  }, async () => {
    const said: string[] = [];
    const { failures, restarts, requests, succeeded } = await rolling({
      per_second: 25,
      rounds: 1,
      only: (name) => name.endsWith('-1') || name === 'gateway-2',
      drain_delay_seconds: 2,
      sessions: 40,
      say: (line) => said.push(line),
    });
    expect(failures, said.join('\n')).toEqual([]);
    expect(succeeded, said.join('\n')).toBe(true);
    expect(restarts.map(({ process }) => process)).toEqual([
      'nothing',
      ...['gateway-1', 'gateway-2', 'ratelimit-1', 'auth-1', 'chat-1', 'oauth2-1'],
      ...['webhook-delivery-1', 'media-1', 'realtime-1', 'console-1', 'the end'],
    ]);
    expect(requests).toBeGreaterThan(500);
    for (const { process, observation } of restarts) {
      if (process === 'realtime-1') {
        expect(Object.keys(observation.closed)).toEqual(['op 7']);
        expect(observation.resumed).toBeGreaterThan(0);
      } else expect(observation.closed).toEqual({});
      expect(observation).toMatchObject({ identified: 0, between: 0, missed: 0, duplicates: 0 });
    }
  });
});

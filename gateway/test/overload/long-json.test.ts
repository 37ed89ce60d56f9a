import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { longJson } from '../../src/long-json/long-json.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { messageName } from '../../src/service-definitions.ts';

const message = ROUTES.filter(({ rpc }) => rpc === 'createGuild').map((row) =>
  messageName(row, 'Request'),
)[0];

describe('the thread that reads long JSON', () => {
  const long_json = longJson();
  const read = () =>
    long_json.read({
      body: new TextEncoder().encode('{"name":"x"}'),
      message: message ?? '',
      skip: [],
      members: [],
    });

  afterEach(() => void vi.useRealTimers());
  afterAll(() => long_json.close());

  it('is another one for a body that comes while it ends for want of any', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect((await read()).violations).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect((await read()).violations).toEqual([]);
  });
});

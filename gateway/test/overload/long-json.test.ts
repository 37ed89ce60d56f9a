import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { LongJson } from '../../src/long-json/long-json.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { messageName } from '../../src/service-definitions.ts';

const message = ROUTES.filter(({ rpc }) => rpc === 'createGuild').map((route) =>
  messageName(route, 'Request'),
)[0];

describe('the thread that reads long JSON', () => {
  const long_json = new LongJson();
  const job = { message: message ?? '', skip: [], members: [] };
  const read = () => long_json.read({ ...job, body: new TextEncoder().encode('{"name":"x"}') });

  afterEach(() => void vi.useRealTimers());
  afterAll(() => long_json.close());

  it('is started again for a body that arrives while an idle one ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect((await read()).violations).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect((await read()).violations).toEqual([]);
  });

  it('may take longer to start than to read a body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const starting = new LongJson();
    const reading = starting.read({ ...job, body: new TextEncoder().encode('{"name":"x"}') });
    vi.advanceTimersByTime(20_000);
    expect((await reading).violations).toEqual([]);
    await starting.close();
  });

  it('keeps no body after reading it', async () => {
    const MiB = 1024 * 1024;
    await read();
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 4; n++) {
      await long_json.read({
        ...job,
        body: Buffer.allocUnsafeSlow(4 * MiB)
          .fill(' ')
          .fill('{}', 0, 2),
      });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MiB);
    }
  });
});

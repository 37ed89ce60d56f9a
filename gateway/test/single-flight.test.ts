import { expect, test } from 'vitest';
import { type Shared, singleFlight } from '../src/single-flight.ts';

/** Values that are their keys, as large as they are long, of at most ten. */
function shared() {
  const loads: string[] = [];
  const share = singleFlight<string, string>({
    load: async (asked) => {
      loads.push(asked);
      return asked;
    },
    keyOf: (asked) => asked,
    sizeOf: (value) => value.length,
    max_size: 10,
  });
  return { share, loads };
}

async function held(shared: Shared<string>): Promise<Shared<string>> {
  await shared.value;
  return shared;
}

test('what is held has a bound, whoever asks, and is asked for again once there is room', async () => {
  const { share, loads } = shared();
  const first = await held(share('four'));
  await held(share('fives'));
  const refused = share('over');
  await expect(refused.value).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  refused.release();
  const again = await held(share('four'));

  first.release();
  await expect(share('over').value).rejects.toThrow();
  again.release();
  expect(await share('over').value).toBe('over');
  expect(loads).toEqual(['four', 'fives', 'over', 'over', 'over']);
});

test('a value that all have released takes no memory', async () => {
  const { share } = shared();
  for (let round = 0; round < 5; round++) {
    const left = share(`${round} ${'x'.repeat(8)}`);
    left.release();
    await left.value;
  }
  expect(await share('ten of ten').value).toBe('ten of ten');
});

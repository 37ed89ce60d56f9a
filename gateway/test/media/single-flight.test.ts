import { expect, test } from 'vitest';
import { singleFlight } from '../../src/single-flight.ts';

/** Values that equal their keys, and a list of loads. */
function shared() {
  const loads: string[] = [];
  const share = singleFlight<string, string>({
    load: async (key) => {
      loads.push(key);
      if (key === 'broken') throw new Error('broken');
      return key;
    },
    keyOf: (key) => key,
  });
  return { share, loads };
}

test('a held value is loaded once, and again after its last release', async () => {
  const { share, loads } = shared();
  const [first, second] = [share('picture'), share('picture')];
  expect(await Promise.all([first.value, second.value])).toEqual(['picture', 'picture']);
  first.release();
  const third = share('picture');
  expect(await third.value).toBe('picture');
  expect(loads).toEqual(['picture']);

  second.release();
  third.release();
  await share('picture').value;
  expect(loads).toEqual(['picture', 'picture']);
});

test('a value that was released before it was loaded is not kept', async () => {
  const { share, loads } = shared();
  const left = share('picture');
  left.release();
  await left.value;
  await share('picture').value;
  expect(loads).toEqual(['picture', 'picture']);
});

test('a failure reaches only the requests that waited for it', async () => {
  const { share, loads } = shared();
  const waiting = [share('broken'), share('broken')];
  for (const { value } of waiting) await expect(value).rejects.toThrow('broken');
  await expect(share('broken').value).rejects.toThrow('broken');
  expect(loads).toEqual(['broken', 'broken']);
});

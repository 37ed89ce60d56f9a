import { BUCKETS } from '@gatehouse/proto/buckets';
import { expect, it } from 'vitest';
import { partExample, partName } from '../../web/limits/key-parts.ts';

it('knows the name and an example of every part of a bucket’s key', () => {
  const parts = [...new Set(Object.values(BUCKETS).flatMap(({ key }): readonly string[] => key))];
  const unknown = parts.filter(
    (part) => partExample(part) === `${part}:123456789` && partName(part) === part.replaceAll('_', ' '),
  );
  expect(parts.length).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});

import { ROUTES } from '@gatehouse/gateway/routes';
import { expect, it } from 'vitest';
import { isRepeatable } from '../src/http/repeatable.ts';

function callOf(method: string, path: string) {
  const operation = `${method} ${path}`;
  return { method, operation, url: '', headers: new Headers(), body: undefined, bucketKey: '' };
}

it('of all GETs, exactly those without side effects by their contracts are repeated', () => {
  const gets = ROUTES.filter(({ verb }) => verb === 'GET');
  expect(gets.length).toBeGreaterThan(30);
  for (const { path, method } of gets)
    expect(isRepeatable(callOf('GET', path)), path).toBe(
      method.options.idempotencyLevel === 'NO_SIDE_EFFECTS',
    );
});

it.each(['POST', 'PATCH'])('no %s is repeated', (verb) => {
  for (const { path } of ROUTES) expect(isRepeatable(callOf(verb, path)), path).toBe(false);
});

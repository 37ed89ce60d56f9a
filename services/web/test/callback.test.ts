import { expect, test } from 'vitest';
import { readCallback } from '../src/developers/try-it/callback.ts';

test('a callback has a state, and a code or an error', () => {
  expect(readCallback('?code=c&state=s')).toEqual({ state: 's', code: 'c' });
  expect(readCallback('?error=access_denied&state=s')).toEqual({ state: 's', error: 'access_denied' });
  expect(readCallback('?code=c&state=s&iss=https%3A%2F%2Fx.example')).toEqual({ state: 's', code: 'c' });
});

test.each([
  '',
  '?',
  '?code=c',
  '?state=s',
  '?code=&state=s',
  '?code=c&error=e&state=s',
  '?code=c&code=d&state=s',
])('%j is not a callback', (search) => {
  expect(readCallback(search)).toBeUndefined();
});

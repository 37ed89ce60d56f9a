import { expect, it } from 'vitest';
import { returnHost } from '../src/consent/return-host.ts';
import { readOutcome } from '../src/home/outcome.ts';
import { plainName } from '../src/shared/plain-name.ts';

it.each([
  ['https://clock.example/callback', 'clock.example'],
  ['https://clock.example:8443/', 'clock.example:8443'],
  ['https://xn--clck-6na.example/', 'xn--clck-6na.example'],
  ['https://clöck.example/', 'xn--clck-6qa.example'],
  ['http://localhost:3000/cb', 'localhost:3000 on this computer'],
  ['http://127.0.0.1/cb', '127.0.0.1 on this computer'],
  ['http://127.8.9.10:1/cb', '127.8.9.10:1 on this computer'],
  ['http://[::1]:80/cb', '[::1] on this computer'],
  ['https://localhost.example/', 'localhost.example'],
  ['https://127.0.0.1.example/', '127.0.0.1.example'],
  ['nonsense', undefined],
])('%s returns to %s', (uri, host) => {
  expect(returnHost(uri)).toBe(host);
});

it('shows a name without characters that reorder the text around it', () => {
  expect(plainName('Clock\u202egpj')).toBe('Clockgpj');
  expect(plainName('שעון 🕰️')).toBe('שעון 🕰️');
});

it.each([
  ['', undefined],
  ['?code=x&state=y', 'allowed'],
  ['?error=access_denied', 'refused'],
  ['?error=login_required&code=x', 'failed'],
])('reads the outcome of "%s" as %s', (query, outcome) => {
  expect(readOutcome(query)).toBe(outcome);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redirectUriViolation } from '../../oauth2/src/applications/redirect-uri.ts';
import { ACCEPTED, REFUSED, TOO_LONG } from '../../oauth2/test/redirect-uris.ts';
import { redirectUriProblem, redirectUriProblems } from '../src/developers/settings/redirect-uri.ts';

const isAccepted = (uri: string) => redirectUriViolation(uri) === undefined;

describe('the portal accepts the same redirect URIs as the service', () => {
  test.each(ACCEPTED)('accepted: %s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });

  test.each([...REFUSED, TOO_LONG])('refused: %j', (uri) => {
    expect(redirectUriProblem(uri)).toMatch(/^[A-Zh].*\.$/);
  });

  test('for any combination of parts of URIs', () => {
    const part = fc.constantFrom(
      ...['https', 'HTTP', 'http', ':', '/', '//', '\\', '?', '#', '@', '%', '%2e', '%zz', ' ', '\t', '\n'],
      ...['\0', '\u00a0', '\ufeff', '\u2028'],
      ...['localhost', 'example.com', '127.0.0.1', '127.1', '0x7f.1', '[::1]', '[', ']', '.', ':3000', ':0'],
      ...['a', 'ä', '😀', '\ud800', '"', '<', '{', '|', '^', '`', '~', '!', "'", '*', '&', '=', '+', ';'],
    );
    const start = fc.constantFrom('https://', 'http://', 'http://localhost', 'https://example.com', '');
    const uri = fc
      .tuple(start, fc.array(part, { maxLength: 6 }))
      .map(([first, rest]) => first + rest.join(''));
    fc.assert(
      fc.property(uri, (text) => {
        expect(redirectUriProblem(text) === undefined, JSON.stringify(text)).toBe(isAccepted(text));
      }),
      { numRuns: 20_000 },
    );
  });
});

test.each([
  ['htt', 'Start with https://, or http:// for this computer.'],
  ['localhost:3117', 'Start with https://, or http:// for this computer.'],
  ['https://exam ple.com', 'Remove the spaces.'],
  ['https://example.com/#top', 'Remove the “#” and everything after it.'],
  ['https://me@example.com', 'Remove the user name before the “@”.'],
  ['https://', 'A host is missing, such as example.com.'],
  ['https://example.com/ä', 'Percent-encode “ä”.'],
  ['https://example.com/😀', 'Percent-encode “😀”.'],
  ['https://example.com/%2', 'After each “%”, write two hexadecimal digits.'],
  ['https://example.com:70000', 'Check the host and the port.'],
  ['http://example.com', 'http is for your own computer only (localhost, 127.0.0.1 or [::1]). Use https.'],
])('the error of %s is “%s”', (uri, problem) => {
  expect(redirectUriProblem(uri)).toBe(problem);
});

test('a list has no duplicates, but may have empty lines', () => {
  const uris = ['https://a.example', '', 'https://b.example', 'https://a.example', ''];
  expect(redirectUriProblems(uris)).toEqual([
    undefined,
    undefined,
    undefined,
    'This one is in the list already.',
    undefined,
  ]);
});

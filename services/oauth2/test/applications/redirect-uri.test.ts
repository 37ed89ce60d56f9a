import { describe, expect, test } from 'vitest';
import { redirectUriViolation } from '../../src/applications/redirect-uri.ts';
import { ACCEPTED, REFUSED, TOO_LONG } from '../redirect-uris.ts';

describe('a redirect URI is', () => {
  test.each(ACCEPTED)('accepted: %s', (uri) => {
    expect(redirectUriViolation(uri)).toBeUndefined();
  });

  test.each(REFUSED)('refused: %j', (uri) => {
    expect(redirectUriViolation(uri)).toBe('INVALID_URL_FORMAT');
  });

  test('refused above 2048 characters', () => {
    expect(redirectUriViolation(TOO_LONG)).toBe('URL_LENGTH_INVALID');
  });
});

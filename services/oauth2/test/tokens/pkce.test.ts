import { hash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { isPkceText, provesChallenge } from '../../src/tokens/pkce.ts';
import { readScopes } from '../../src/tokens/scopes.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
/** The challenge of this verifier, in RFC 7636 appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('a verifier', () => {
  it('proves an S256 challenge by its digest', () => {
    const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;
    expect(provesChallenge(challenge, VERIFIER)).toBe(true);
    for (const wrong of [undefined, CHALLENGE, `${VERIFIER}x`, VERIFIER.toLowerCase(), `${VERIFIER}=`])
      expect(provesChallenge(challenge, wrong), wrong).toBe(false);
  });

  it('has 43 characters or more for S256, although the digest of a shorter one may match', () => {
    for (const [length, proves] of [
      [42, false],
      [43, true],
      [128, true],
      [129, false],
    ] as const) {
      const verifier = 'v'.repeat(length);
      const code_challenge = hash('sha256', verifier, 'base64url');
      expect(provesChallenge({ code_challenge, code_challenge_method: 'S256' }, verifier)).toBe(proves);
    }
  });

  it('is the challenge itself for plain', () => {
    for (const code_challenge of ['x', 'a.b-c_d~e', 'v'.repeat(128)])
      expect(provesChallenge({ code_challenge, code_challenge_method: 'plain' }, code_challenge)).toBe(true);
    const challenge = { code_challenge: 'abc', code_challenge_method: 'plain' } as const;
    for (const wrong of [undefined, '', 'ab', 'abcd', 'ABC', hash('sha256', 'abc', 'base64url')])
      expect(provesChallenge(challenge, wrong), wrong).toBe(false);
  });

  it('is refused for a code without a challenge', () => {
    expect(provesChallenge(undefined, undefined)).toBe(true);
    expect(provesChallenge(undefined, VERIFIER)).toBe(false);
  });

  test.each(['', 'a b', 'a+b', 'a/b', 'a=b', 'é', 'a\nb', 'a\0b'])(
    'has unreserved characters only: %j',
    (text) => {
      expect(isPkceText(text, 'plain')).toBe(false);
      expect(isPkceText(text.padEnd(43, 'v'), 'S256')).toBe(text === '');
    },
  );
});

describe('scopes', () => {
  test.each<[string, string[]]>([
    ['identify', ['identify']],
    ['identify email', ['email', 'identify']],
    ['guilds+connections+bot', ['bot', 'connections', 'guilds']],
    ['\tidentify\r\n email  +identify+', ['email', 'identify']],
    ['identify\u00a0guilds', ['guilds', 'identify']],
  ])('of %j are unique and in alphabetical order', (text, scopes) => {
    expect(readScopes(text)).toEqual(scopes);
  });

  test.each([
    undefined,
    null,
    '',
    ' ',
    '+',
    ' +\t',
    'Identify',
    'openid',
    'identify openid',
    'identify,email',
  ])('of %j are refused', (text) => {
    expect(() => readScopes(text)).toThrow(/^invalid_scope: /);
  });
});

import { describe, expect, test } from 'vitest';
import { redirectUriViolation } from '../src/applications/redirect-uri.ts';

describe('a redirect URI is', () => {
  test.each([
    'https://example.com',
    'https://example.com/',
    'https://example.com/a/b;c?d=e&f=%20#'.slice(0, -1),
    'https://sub.example.co.uk:8443/callback',
    'https://192.0.2.1/callback',
    'https://[2001:db8::1]:8443/callback',
    'HTTPS://EXAMPLE.COM/',
    'https://example.com/user@host', // an "@" in the path is no userinfo
    'https://example.com?to=a@b',
    'https://xn--exmple-cua.com/',
    'https://localhost/callback',
    'http://localhost',
    'http://LocalHost:3000/callback',
    'http://127.0.0.1:3000/callback',
    'http://127.255.255.254/',
    'http://[::1]:3000/callback',
    `https://example.com/${'p'.repeat(2028)}`, // 2048
  ])('accepted: %s', (uri) => {
    expect(redirectUriViolation(uri)).toBeUndefined();
  });

  test.each([
    '',
    'example.com',
    '/callback',
    '//example.com/callback',
    'http://example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://128.0.0.1/',
    'http://[::2]/',
    'http://[::ffff:192.0.2.1]/',
    'http://0.0.0.0/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://callback',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https://',
    'https://?a=b',
    'https://example.com:70000/',
    'https://example.com:port/',
    'https://exa mple.com/',
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com/\n',
    'https://exam\tple.com/',
    'https://example.com/a b',
    'https://example.com\\callback',
    'https:\\\\example.com/',
    'https://example.com/#',
    'https://example.com/#fragment',
    'https://example.com#',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://example.com\\@evil.example/',
    'http://localhost@evil.example/',
    'https://exämple.com/',
    'https://example.com/ä',
    'https://example.com/%',
    'https://example.com/%2',
    'https://example.com/%gg',
    'https://example.com/"quoted"',
    'https://example.com/<tag>',
    'https://[2001:db8::1/',
  ])('refused: %j', (uri) => {
    expect(redirectUriViolation(uri)).toBe('INVALID_URL_FORMAT');
  });

  test('refused above 2048 characters', () => {
    expect(redirectUriViolation(`https://example.com/${'p'.repeat(2029)}`)).toBe('URL_LENGTH_INVALID');
  });
});

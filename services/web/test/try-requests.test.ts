import { expect, test } from 'vitest';
import { curlCommand } from '../src/developers/try-it/curl.ts';
import { hasSecrets, maskCredential, maskSecrets } from '../src/developers/try-it/mask-secrets.ts';
import {
  currentRequest,
  exchangeRequest,
  introspectRequest,
  refreshRequest,
  revokeRequest,
  userinfoRequest,
} from '../src/developers/try-it/try-requests.ts';

const CLIENT = { client_id: '42', client_secret: 's3cret-of-the-client' };
const TOKENS = { access_token: 'access-token-itself', refresh_token: 'refresh-token-itself' };
const MADE = {
  code: 'code-that-was-given',
  code_verifier: 'verifier-of-the-page',
  redirect_uri: 'https://x.example/$a?b="`c\\',
};
const ALL = [
  exchangeRequest(CLIENT, MADE),
  userinfoRequest(TOKENS),
  currentRequest(TOKENS),
  introspectRequest(CLIENT, TOKENS),
  refreshRequest(CLIENT, TOKENS),
  revokeRequest(CLIENT, TOKENS),
];

test.each(ALL)('as curl, “$title” contains no credential', (request) => {
  const text = curlCommand('https://x.example', request);
  const { code, code_verifier } = MADE;
  for (const secret of [CLIENT.client_secret, code, code_verifier, ...Object.values(TOKENS)])
    expect(text).not.toContain(secret);
});

test('as curl, a request is quoted for a shell', () => {
  expect(curlCommand('https://x.example', exchangeRequest(CLIENT, MADE))).toBe(
    [
      'curl "https://x.example/api/v1/oauth2/token" \\',
      '  --data-urlencode "grant_type=authorization_code" \\',
      '  --data-urlencode "code=$CODE" \\',
      '  --data-urlencode "code_verifier=$CODE_VERIFIER" \\',
      '  --data-urlencode "redirect_uri=https://x.example/\\$a?b=\\"\\`c\\\\" \\',
      '  --data-urlencode "client_id=42" \\',
      '  --data-urlencode "client_secret=$CLIENT_SECRET"',
    ].join('\n'),
  );
  expect(curlCommand('https://x.example', userinfoRequest(TOKENS))).toBe(
    'curl "https://x.example/api/v1/oauth2/userinfo" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"',
  );
  expect(curlCommand('', introspectRequest(CLIENT, TOKENS))).toContain('"token=$ACCESS_TOKEN"');
  expect(curlCommand('', revokeRequest(CLIENT, TOKENS))).toContain('"token=$REFRESH_TOKEN"');
});

test('a credential is masked except for its first characters, a short one completely', () => {
  expect(maskCredential('0123456789abcdef')).toBe('0123…');
  expect(maskCredential('Bearer 0123456789abcdef')).toBe('Bearer 0123…');
  expect(maskCredential('short')).toBe('…');
  const response = { ...TOKENS, token_type: 'Bearer', expires_in: 604800 };
  expect(maskSecrets('response', response)).toEqual({
    access_token: 'acce…',
    refresh_token: 'refr…',
    token_type: 'Bearer',
    expires_in: 604800,
  });
  expect([hasSecrets('response', response), hasSecrets('response', { active: true })]).toEqual([true, false]);
});

test('the code in a request is masked, the code of an error is not', () => {
  expect(maskSecrets('request', { code: MADE.code, client_id: '42' })).toEqual({
    code: 'code…',
    client_id: '42',
  });
  const refusal = { error: '400 Bad Request', code: 'INVALID_GRANT' };
  expect(maskSecrets('response', refusal)).toEqual(refusal);
});

test('the exchange of a public client is explained without a secret', () => {
  expect(exchangeRequest(CLIENT, MADE).explanation).toContain('the secret proves the application');
  expect(exchangeRequest({ client_id: '42' }, MADE).explanation).not.toContain('the secret proves');
});

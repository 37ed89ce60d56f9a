import { anonymous } from '@gatehouse/kit/rpc';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { IN_TIME } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode, REDIRECT_URI } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_authorize_properties');
  client = await newClient(fixture);
  await exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client));
});
afterAll(() => fixture.close());

const bytes = fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)) });
const encoded = (text: string) => encodeURIComponent(text);

/** Valid, invalid, and hostile parameters. */
const parameter = fc.oneof(
  fc.constantFrom(
    'prompt=none',
    'scope=identify',
    'scope=bot',
    'response_type=code',
    'state=s',
    'guild_id=1',
  ),
  fc.constant('client_id').map((name) => `${name}=${client.client_id}`),
  fc.constant(`redirect_uri=${encoded(REDIRECT_URI)}`),
  fc
    .constantFrom(
      '//evil.test',
      'https://evil.test/',
      `${REDIRECT_URI}@evil.test`,
      `${WEB_APP_URL}.evil.test/`,
    )
    .map((uri) => `redirect_uri=${encoded(uri)}`),
  fc
    .tuple(
      fc.constantFrom('prompt', 'client_id', 'redirect_uri', 'state', 'scope', 'permissions', 'x'),
      bytes,
    )
    .map(([name, value]) => `${name}=${value}`),
  bytes,
);

const some = fc.array(parameter, { maxLength: 9 });
/** A valid request, perhaps with another parameter. */
const right = fc
  .array(parameter, { maxLength: 1 })
  .map((more) => [
    ...['prompt=none', 'scope=identify', `client_id=${client.client_id}`],
    ...[`redirect_uri=${encoded(REDIRECT_URI)}`, ...more],
  ]);

it('for any request, the browser goes to the web app or to the registered address, with a location that is valid in a header', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(some, right), fc.boolean(), async (parts, isSignedIn) => {
      const caller = isSignedIn ? client.person : anonymous;
      const { location } = await fixture.oauth2.authorize({ query: parts.join('&') }, { ...IN_TIME, caller });
      expect(location).toMatch(/^[\x21-\x7e]+$/);
      const page = `${WEB_APP_URL}/oauth2/authorize`;
      const places = [page, `${WEB_APP_URL}?`, `${REDIRECT_URI}&`];
      const place = places.find((one) => location.startsWith(one));
      outcomes.add(place ?? location);
      expect([new URL(WEB_APP_URL).origin, new URL(REDIRECT_URI).origin]).toContain(new URL(location).origin);
      if (place === page) expect(location.slice(page.length)).toMatch(/^($|\?)/);
      else expect(location.slice(place?.length)).toMatch(/^(code|error)=[\w-]+($|&state=)/);
    }),
    { numRuns: 500 },
  );
  // All three outcomes occurred.
  expect(outcomes.size).toBe(3);
});

import { expect, it } from 'vitest';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

const REASON = 'A class behind one address.';

interface LookedUp {
  readonly identity: string;
  readonly buckets: readonly { readonly state: { readonly bucket: string } }[];
}
const lookUp = (identity: string) =>
  operator.ok<LookedUp>('GET', `/limits/identity?identity=${encodeURIComponent(identity)}`);
const bucketsOf = ({ buckets }: LookedUp) => buckets.map(({ state }) => state.bucket);

let addresses = 0;
/** A sign-in with a wrong password, from an address of its own by default. */
const signIn = async (email: string, ip = `192.0.2.${++addresses}`) =>
  (await stack.api.from(ip).post('/auth/login', { email, password: 'wrong horse battery' })).status;

it('an IPv6 address stands for its network, which buckets count', async () => {
  const ip = '2001:db8:7:1::5';
  let last = 0;
  for (let n = 0; n < 20 && last !== 429; n++) last = await signIn(`nobody${n}@example.com`, ip);
  expect(last).toBe(429);
  for (const typed of [ip, `ip:${ip}`, 'ip:2001:DB8:7:1:0:0:0:5', 'ip:2001:db8:7:1::/64']) {
    const found = await lookUp(typed);
    expect(found.identity).toBe('ip:2001:db8:7:1::/64');
    expect(bucketsOf(found)).toContain('login:ip');
  }
  const expires_at_ms = Date.now() + 60_000;
  await operator.ok('PUT', '/limits/overrides', {
    identity: `ip:${ip}`,
    exempt: true,
    expires_at_ms,
    reason: REASON,
  });
  await expect.poll(() => signIn('nobody@example.com', ip)).toBe(400);
  const line = (await operator.log()).at(-1);
  expect(line).toMatchObject({ action: 'limit.override', target: 'limit:ip:2001:db8:7:1::/64' });
});

it('a login name counts in lower case, however it is typed', async () => {
  const email = 'Ada.Lovelace@Example.com';
  let last = 0;
  for (let n = 0; n < 10 && last !== 429; n++) last = await signIn(email);
  expect(last).toBe(429);
  expect(bucketsOf(await lookUp(email))).toEqual(['auth:login:email']);
  await operator.ok('POST', '/limits/reset', { identity: email, reason: REASON });
  await expect.poll(() => signIn(email)).toBe(400);
});

import { reasonOf } from '@gatehouse/dev-env/faults';
import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WrongSignIns } from '../../src/sign-in/wrong-sign-ins.ts';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';
import { type Answer, enrolByPasskey, enrolByPassword, newOperator, PASSWORD, Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
beforeAll(async () => {
  service = await startConsole('console_wrong_sign_ins', { trusted_proxies: ['127.0.0.1'] });
});
afterAll(() => service.close());

function from(ip: string): Visitor {
  return new Visitor(service, { headers: { 'x-forwarded-for': ip } });
}

const wrong = (name: string) => ({ name, password: `${PASSWORD}!`, code: '000000' });

/** Many wrong attempts with one name, twenty at a time. Returns how many were admitted. */
async function attack(name: string, addresses: readonly string[]): Promise<number> {
  const answers: Answer[] = [];
  for (let begin = 0; begin < addresses.length; begin += 20)
    answers.push(
      ...(await Promise.all(
        addresses.slice(begin, begin + 20).map((ip) => from(ip).post('/api/sign-in/password', wrong(name))),
      )),
    );
  expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([401, 429]))).toBe(true);
  return answers.filter(({ status }) => status === 401).length;
}

const repeat = (times: number, of: (n: number) => string) => Array.from({ length: times }, (_, n) => of(n));

describe('wrong passwords for a name', () => {
  it('are admitted ten times from an address and fifty times in all', async () => {
    expect(
      await attack(
        'hunted',
        repeat(500, () => '192.0.2.1'),
      ),
    ).toBe(10);
    expect(await attack('hunted', ['192.0.2.2'])).toBe(1);
    expect(
      await attack(
        'hunted',
        repeat(500, (n) => `198.51.100.${1 + (n % 250)}`),
      ),
    ).toBe(39);
    // The addresses that were refused for the name alone may still try another one.
    expect(await attack('another', ['198.51.100.249'])).toBe(1);
  });

  it('count an IPv6 network of 64 bits as one address', async () => {
    expect(
      await attack(
        'of-v6',
        repeat(40, (n) => `2001:db8:0:1::${n + 1}`),
      ),
    ).toBe(10);
    expect(await attack('of-v6', ['2001:db8:0:2::1'])).toBe(1);
  });

  it('count IPv4 and its form in IPv6 as one address', async () => {
    const forms = repeat(20, (n) => (n % 2 === 0 ? '192.0.2.77' : '::ffff:192.0.2.77'));
    expect(await attack('of-both', forms)).toBe(10);
  });
});

describe('strangers who use up the attempts with a name', () => {
  const strangers = repeat(60, (n) => `203.0.113.${1 + (n % 6)}`);

  it('do not keep out its operator, where they have signed in before', async () => {
    const home = from('192.0.2.20');
    const { link_token } = await newOperator(service, 'besieged');
    const secret = await enrolByPassword(home, link_token);
    const password = (code: string) => ({ name: 'besieged', password: PASSWORD, code });
    const code = totp(secret, 1);
    expect((await home.post('/api/sign-in/password', password(code))).status).toBe(200);
    expect(await attack('besieged', strangers)).toBe(50);
    // The code was used; the answer shows that the attempt was admitted.
    expect((await home.post('/api/sign-in/password', password(code))).status).toBe(401);
    expect((await from('192.0.2.21').post('/api/sign-in/password', password('000000'))).status).toBe(429);
    expect(
      await attack(
        'besieged',
        repeat(20, () => '192.0.2.20'),
      ),
    ).toBe(9);
  });

  it('do not keep out who has a passkey or a new link', async () => {
    const { link_token } = await newOperator(service, 'keyed');
    const authenticator = await enrolByPasskey(from('192.0.2.30'), link_token);
    await attack(
      'keyed',
      repeat(60, (n) => `203.0.113.${101 + (n % 6)}`),
    );
    const traveller = from('192.0.2.31');
    const options = await traveller.post('/api/sign-in/passkey/options', { name: 'keyed' });
    const response: unknown = JSON.parse(authenticator.get(options.text));
    const signed = await traveller.post('/api/sign-in/passkey', { name: 'keyed', response });
    expect(signed.status).toBe(200);
    const change = { name: 'keyed', new_link: true, new_token: false };
    const { link } = await service.operators.updateOperator(change, IN_TIME);
    await enrolByPassword(from('192.0.2.32'), link?.split('#')[1] ?? '');
  });
});

it('an address gets a bounded number of challenges', async () => {
  const ask = (ip: string) => from(ip).post('/api/sign-in/passkey/options', { name: 'nobody' });
  const answers: Answer[] = [];
  for (let n = 0; n < 6; n++)
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask('192.0.2.40')))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  expect((await ask('192.0.2.41')).status).toBe(200);
});

describe('the counters', () => {
  const attempt = (ip: string, name?: string) => ({ ip, ...(name !== undefined && { name }) });
  const isAdmitted = (counters: WrongSignIns, ip: string, name?: string): boolean => {
    try {
      counters.begin(attempt(ip, name));
      return true;
    } catch {
      return false;
    }
  };

  it('forget after 15 minutes, and say how long that is', async () => {
    let now = 0;
    const counters = new WrongSignIns(() => now);
    for (let n = 0; n < 10; n++) counters.begin(attempt('192.0.2.1'));
    now = 15 * 60_000 - 1;
    const refused = async () => counters.begin(attempt('192.0.2.1'));
    expect(await reasonOf(refused())).toBe('RATE_LIMITED');
    now++;
    expect(isAdmitted(counters, '192.0.2.1')).toBe(true);
  });

  it('are the newest 10,000, however many addresses attack', () => {
    const counters = new WrongSignIns(() => 0);
    const address = (n: number) => `2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`;
    const useUp = (ip: string) => {
      while (isAdmitted(counters, ip));
    };
    useUp('192.0.2.1');
    for (let n = 0; n < 9_999; n++) counters.begin(attempt(address(n)));
    expect(isAdmitted(counters, '192.0.2.1')).toBe(false);
    for (let n = 9_999; n < 30_000; n++) counters.begin(attempt(address(n)));
    expect(isAdmitted(counters, '192.0.2.1')).toBe(true);
    useUp('192.0.2.2');
    expect(isAdmitted(counters, '192.0.2.2')).toBe(false);
  });

  it('take back a right attempt once its window is over, without a gain', () => {
    let now = 0;
    const counters = new WrongSignIns(() => now);
    const succeed = counters.begin(attempt('192.0.2.1'));
    now = 15 * 60_000;
    expect(isAdmitted(counters, '192.0.2.1')).toBe(true);
    succeed();
    const admitted = repeat(20, () => '192.0.2.1').filter((ip) => isAdmitted(counters, ip));
    expect(admitted).toHaveLength(9);
  });
});

import { readFile } from 'node:fs/promises';
import { type Browser, openBrowser } from '@gatehouse/dev-env/browser/browser';
import { firstPaint } from '@gatehouse/dev-env/browser/first-paint';
import { isolatedWorld } from '@gatehouse/dev-env/browser/isolated-world';
import { scriptBytes } from '@gatehouse/dev-env/browser/script-bytes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshAddress, newcomer, type Person } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { LATE_MS, type PageServer, REFUSED, servePages } from './page-server.ts';
import { screenshot } from './screenshot.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';
import { virtualAuthenticator } from './virtual-authenticator.ts';

describe.skipIf(chromiumIsMissing)('the helpers of page tests', () => {
  let pages: PageServer;
  const browser = useBrowser();
  beforeAll(async () => {
    pages = await servePages();
  });
  afterAll(() => pages.close());

  describe('a browser', () => {
    let own: Browser;
    beforeAll(async () => {
      own = await openBrowser();
    });
    afterAll(() => own.close());

    /** The problems reported once the page has loaded and its network is idle. */
    async function settled(path: string, expected: RegExp[] = []): Promise<string> {
      const page = await own.page({ expected });
      await page.goto(pages.url + path, { waitUntil: 'networkidle' });
      return own.settle().then(
        () => '',
        (error: Error) => error.message,
      );
    }

    it.each([
      ['/logs', 'console: out of order'],
      ['/throws', 'uncaught: Error: out of order'],
      ['/inline', 'Content Security Policy: script-src-elem forbids'],
      ['/trusted', 'Content Security Policy: require-trusted-types-for forbids'],
      ['/outside', 'outside request: https://pictures.example/a.png'],
      ['/outside-socket', 'outside request: wss://chat.example/'],
      ['/lacking', 'answered 404: http://localhost:'],
      ['/calls-broken', 'answered 500: http://localhost:'],
      ['/cut', 'request failed: http://localhost:'],
    ])('fails with the problem at %s', async (path, problem) => {
      expect(await settled(path)).toContain(problem);
    });

    it('accepts a good page, and one whose call was refused', async () => {
      expect(await settled('/')).toBe('');
      expect(await settled('/calls-refused')).toBe('');
    });

    it('accepts expected problems, and fails without them', async () => {
      expect(await settled('/logs', [/out of order/])).toBe('');
      expect(await settled('/', [/out of order/])).toContain('did not occur: /out of order/');
    });

    it('uses the given client address, also for its calls', async () => {
      const page = await browser.page({ from: '192.0.2.7' });
      const call = page.waitForRequest('**/401');
      await page.goto(`${pages.url}/calls-refused`);
      expect((await (await call).allHeaders())['x-forwarded-for']).toBe('192.0.2.7');
    });

    it('never connects to another machine', async () => {
      const page = await browser.page({ expected: [/^outside request: http:\/\/192\.0\.2\.1\//] });
      await expect(page.goto('http://192.0.2.1/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
    });
  });

  describe('expectAccessible', () => {
    it('accepts a good page under a strict policy, and leaves it unchanged', async () => {
      for (const color_scheme of ['light', 'dark'] as const) {
        const page = await browser.page({ color_scheme });
        await page.goto(pages.url);
        await expectAccessible(page);
        const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
        expect(isDark).toBe(color_scheme === 'dark');
        expect(await page.evaluate('typeof axe')).toBe('undefined');
      }
    });

    it('names the rule, the scheme and the element', async () => {
      const page = await browser.page();
      await page.goto(`${pages.url}/unreadable-in-the-dark`);
      const error = await expectAccessible(page).catch(({ message }: Error) => message);
      expect(error).toContain('color-contrast (dark): Elements must meet minimum color contrast');
      expect(error).toContain('<p id="faint">');
      expect(error).not.toContain('(light)');
    });
  });

  it('screenshot saves the page', async () => {
    const page = await browser.page({ viewport: { width: 320, height: 480 } });
    await page.goto(pages.url);
    const png = await readFile(await screenshot(page, 'harness'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16), 'its width').toBe(320);
  });

  it('firstPaint returns the time of the first paint', async () => {
    const page = await browser.page();
    expect(await firstPaint(page, pages.url, 3)).toBeGreaterThan(0);
    expect(await firstPaint(page, `${pages.url}/late`, 3)).toBeGreaterThan(LATE_MS);
  });

  it('scriptBytes returns the size of a page’s scripts, transferred and decoded', async () => {
    const page = await browser.page();
    const { script, sent } = REFUSED;
    expect(await scriptBytes(page, `${pages.url}/calls-refused`)).toEqual({
      sent: sent.length,
      raw: script.length,
      encodings: 'gzip',
    });
  });

  describe('virtualAuthenticator', () => {
    const stack = useAnyStack('localhost');

    /** A user with a page of the stack's origin, on which WebAuthn works; its content does not matter. */
    async function atTheStack() {
      const person = await newcomer(stack.api);
      const page = await browser.page({ from: freshAddress() });
      const key = await virtualAuthenticator(page);
      await page.goto(`${stack.url}/livez`);
      return { person, key, world: await isolatedWorld(page) };
    }

    it('registers a passkey at auth and logs in with it', async () => {
      const { person, key, world } = await atTheStack();
      const added = await world.run<{ id: string }>(registers(person));
      expect(await key.passkeys()).toEqual([{ id: added.id, rp_id: 'localhost', sign_count: 1 }]);

      const { token } = await world.run<{ token: string }>(LOGS_IN);
      const found = await stack.api.as(`Bearer ${token}`).get('/users/@me');
      expect(found.json<{ id: string }>().id).toBe(person.user.id);
    });

    it('fails if its user is not verified', async () => {
      const { person, key, world } = await atTheStack();
      await world.run(registers(person));
      await key.verifies(false);
      await expect(world.run(LOGS_IN)).rejects.toThrow('NotAllowedError');
    });
  });
});

/** The page's part: WebAuthn's own JSON in both directions. */
const CALL = `const call = async (path, body, headers = {}) => {
  const json = { 'content-type': 'application/json', ...headers };
  const answer = await fetch('/api/v1' + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
  return answer.json();
};`;

function registers({ token, password }: Person): string {
  return `(async () => {
    ${CALL}
    const headers = { authorization: 'Bearer ${token}' };
    const path = '/users/@me/mfa/webauthn/credentials';
    const options = await call(path + '/registration-options', undefined, headers);
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const response = (await navigator.credentials.create({ publicKey })).toJSON();
    return call(path, { name: 'Laptop', response, password: '${password}' }, headers);
  })()`;
}

const LOGS_IN = `(async () => {
  ${CALL}
  const options = await call('/auth/webauthn/authentication-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = (await navigator.credentials.get({ publicKey })).toJSON();
  return call('/auth/webauthn/authenticate', { response });
})()`;

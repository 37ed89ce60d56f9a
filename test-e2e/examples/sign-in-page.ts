import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshAddress, newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { submitPassword } from '../web/sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from '../web/use-browser.ts';
import { copyExample } from './example-program.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

export function signInPage(stack: TestStack): void {
  describe.skipIf(chromiumIsMissing)('examples/sign-in-page', () => {
    const browser = useBrowser();
    let folder: ReturnType<typeof copyExample>;
    let server: Server;
    let url: string;
    beforeAll(async () => {
      folder = copyExample('sign-in-page');
      server = await serve(folder.path);
      url = `http://localhost:${(server.address() as AddressInfo).port}/`; // it listens on TCP
    });
    afterAll(() => {
      server.close();
      folder.remove();
    });

    it('says that its settings are missing', async () => {
      const page = await browser.page();
      await page.goto(url);
      await page.getByText('Write settings.json with gatehouse and client_id first.').waitFor();
    });

    it('signs a user in without a secret, and out', async () => {
      const owner = await newcomer(stack.api);
      const body = { name: 'Page', redirect_uris: [url], public: true };
      const { id: client_id } = (await owner.api.post('/oauth2/applications', body)).json<{ id: string }>();
      const settings = JSON.stringify({ gatehouse: stack.url, client_id });
      writeFileSync(join(folder.path, 'settings.json'), settings);

      const person = await newcomer(stack.api);
      const expected = [/^request failed: .*\/oauth2\/token\/revoke: net::ERR_FAILED$/];
      const page = await browser.page({ from: freshAddress(), expected });
      await page.goto(url);
      await page.getByText('You are not signed in.').waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
      await submitPassword(page, person);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText(`Signed in as ${person.username}.`).waitFor();
      expect(page.url()).toBe(url);
      const listed = async () => (await person.api.get('/oauth2/@me/authorizations')).json<object[]>();
      expect(await listed()).toHaveLength(1);
      const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
      await page.route('**/oauth2/token/revoke', (route) => route.abort());
      await signOut.click();
      await page.getByText('Not signed out. Try again.').waitFor();
      await page.unroute('**/oauth2/token/revoke');
      await signOut.click();
      await page.getByText('Signed out.', { exact: true }).waitFor();
      expect(await listed()).toEqual([]);
      for (const answer of ['code=x&state=y', 'error=x&state=y', 'code=x', 'error=x']) {
        await page.goto(`${url}?${answer}`);
        await page.getByText('This is no answer to a sign-in of this tab.').waitFor();
      }
    });
  });
}

/** Serves the files of a folder, as any static server does. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname === '/' ? 'index.html' : pathname.slice(1);
    try {
      const content = readFileSync(join(folder, file));
      response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, 'localhost', () => resolve(server)));
}

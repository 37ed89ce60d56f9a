import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoContent } from '../../support/expect-status.ts';
import { newGuild, say } from '../../support/guilds.ts';
import { freshAddress } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { type CallbackServer, serveCallback } from '../../web/callback-server.ts';
import { useBrowser } from '../../web/use-browser.ts';
import { bundled } from './bundled.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@gatehouse/sdk/gateway'));

/** Script for the page: a client whose consumer waits while `isOpen` is false, and which keeps its WebSockets. */
const START = (options: object) => `
  globalThis.sockets = [];
  globalThis.received = [];
  globalThis.failure = null;
  globalThis.gate = { isOpen: true };
  class KeptSocket extends WebSocket {
    constructor(url) { super(url); sockets.push(this); }
  }
  globalThis.gateway = new sdk.Gateway({ ...${JSON.stringify(options)}, WebSocket: KeptSocket, maxQueuedEvents: 3 });
  globalThis.consumed = (async () => {
    for await (const event of gateway) {
      received.push(event.t === 'MESSAGE_CREATE' ? event.d.content : event.t);
      while (!gate.isOpen) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })().catch(({ name, code }) => { globalThis.failure = { name, code }; });
  null; // the page's loop is not awaited
`;

/** The SDK's Gateway client, bundled for a page of another origin. */
export function sdkInBrowser(stack: TestStack): void {
  const browser = useBrowser();
  let elsewhere: CallbackServer;
  let bundle: string;
  beforeAll(async () => {
    [elsewhere, bundle] = await Promise.all([serveCallback(), bundled(ENTRY, 'sdk')]);
  });
  afterAll(() => elsewhere.close());

  const received = (page: Page) => page.evaluate<string[]>('received');

  describe('@gatehouse/sdk/gateway in a browser', () => {
    it('receives events, resumes, waits for a slow consumer, and ends when the session does', async () => {
      const fixture = await newGuild(stack.api);
      const page = await browser.page({ from: freshAddress() });
      await page.goto(elsewhere.redirect_uri);
      await page.addScriptTag({ content: bundle });
      await page.evaluate(START({ baseUrl: stack.url, session: fixture.owner.token }));
      await expect.poll(() => received(page)).toEqual(['READY']);
      await page.evaluate('sockets[0].close(3000)');
      await say(fixture, fixture.owner, 'missed');
      await expect
        .poll(async () => (await received(page)).toSorted())
        .toEqual(['READY', 'RESUMED', 'missed']);

      await page.evaluate('gate.isOpen = false');
      const sent = Array.from({ length: 12 }, (_, index) => `message ${index}`);
      for (const content of sent) await say(fixture, fixture.owner, content);
      await expect.poll(() => page.evaluate('sockets[1].readyState')).toBe(3); // closed
      await page.evaluate('gate.isOpen = true');
      const messages = async () => (await received(page)).filter((name) => name.startsWith('message'));
      await expect.poll(messages).toEqual(sent);

      await expectNoContent(fixture.owner.api.post('/auth/logout'));
      await expect.poll(() => page.evaluate('failure')).toEqual({ name: 'GatewayClosedError', code: 4004 });
    });
  });
}

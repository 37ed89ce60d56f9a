import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { newGuild, say } from '../../support/guilds.ts';
import { freshAddress } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { type CallbackServer, serveCallback } from '../../web/callback-server.ts';
import { useBrowser } from '../../web/use-browser.ts';
import { OP } from '../support/codes.ts';
import type { Frame } from '../support/objects.ts';

/** Script for the page: a plain WebSocket that records its frames and its close event. */
const OPEN = (url: string) => `
  globalThis.gateway = { frames: [], closed: null };
  gateway.socket = new WebSocket(${JSON.stringify(url)});
  gateway.socket.onmessage = ({ data }) => gateway.frames.push(JSON.parse(data));
  gateway.socket.onclose = ({ code, wasClean }) => { gateway.closed = { code, wasClean }; };
`;

/** A page of another origin whose script connects to the Gateway. */
export function browserClient(stack: TestStack): void {
  const browser = useBrowser();
  let elsewhere: CallbackServer;
  beforeAll(async () => {
    elsewhere = await serveCallback();
  });
  afterAll(() => elsewhere.close());

  const frames = (page: Page) => page.evaluate<Frame[]>('gateway.frames');
  const send = (page: Page, frame: object) =>
    page.evaluate(`gateway.socket.send(${JSON.stringify(JSON.stringify(frame))})`);
  const types = async (page: Page) => (await frames(page)).map(({ op, t }) => (op === OP.DISPATCH ? t : op));
  const open = async (page: Page) => {
    const { url } = await expectOk<{ url: string }>(stack.api.get('/gateway'));
    await page.evaluate(OPEN(`${url}?v=1&encoding=json`));
    await expect.poll(() => types(page)).toEqual([OP.HELLO]);
  };

  describe('the WebSocket of a browser', () => {
    it('identifies from a page of another origin, receives events, and resumes', async () => {
      const fixture = await newGuild(stack.api);
      const { token } = fixture.owner;
      const page = await browser.page({ from: freshAddress() });
      await page.goto(elsewhere.redirect_uri);
      await open(page);
      await send(page, { op: OP.IDENTIFY, d: { token, properties: { browser: 'Chromium' } } });
      await expect.poll(() => types(page)).toEqual([OP.HELLO, 'READY']);
      const ready = (await frames(page))[1]?.d as { session_id: string; guilds: { id: string }[] }; // the shape of READY
      expect(ready.guilds.map(({ id }) => id)).toEqual([fixture.guild.id]);
      await send(page, { op: OP.HEARTBEAT, d: 1 });
      await expect.poll(() => types(page)).toEqual([OP.HELLO, 'READY', OP.ACK]);
      await say(fixture, fixture.owner, 'grüß dich 👋');
      await expect.poll(() => types(page)).toEqual([OP.HELLO, 'READY', OP.ACK, 'MESSAGE_CREATE']);
      expect((await frames(page))[3]?.d).toMatchObject({ content: 'grüß dich 👋' });

      await page.evaluate('gateway.socket.close(4000)');
      await expect.poll(() => page.evaluate('gateway.closed')).toEqual({ code: 4000, wasClean: true });
      await say(fixture, fixture.owner, 'missed');
      await open(page);
      await send(page, { op: OP.RESUME, d: { token, session_id: ready.session_id, seq: 2 } });
      const resumed = [OP.HELLO, 'MESSAGE_CREATE', 'RESUMED'];
      await expect.poll(async () => (await types(page)).toSorted()).toEqual(resumed.toSorted());
      expect((await frames(page)).map(({ s }) => s)).toEqual([null, 3, 4]);

      await expectNoContent(fixture.owner.api.post('/auth/logout'));
      await expect.poll(() => page.evaluate('gateway.closed')).toEqual({ code: 4004, wasClean: true });
    });
  });
}

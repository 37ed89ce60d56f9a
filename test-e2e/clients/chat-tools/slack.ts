import { ErrorCode, IncomingWebhook } from '@slack/webhook';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

export function slackIncomingWebhook(stack: TestStack): void {
  const urlOf = (path: string) => `${stack.url}/api/v1${path}/chatcompat`;

  describe('@slack/webhook IncomingWebhook', () => {
    it('sends a text and gets ok', async () => {
      const hook = await newWebhook(stack.api);
      const client = new IncomingWebhook(urlOf(hook.path), {
        username: 'Alerts',
        icon_url: 'https://example.com/i.png',
      });
      expect(await client.send(' disk is full @everyone ')).toMatchObject({ text: 'ok' });
      const [message] = await hook.messages();
      expect(message).toMatchObject({
        content: 'disk is full @everyone',
        author: { id: hook.webhook.id, username: 'Alerts', avatar: null },
        mention_everyone: false,
        mentions: [],
        embeds: [],
      });
    });

    it('turns attachments into embeds', async () => {
      const hook = await newWebhook(stack.api);
      await new IncomingWebhook(urlOf(hook.path)).send({
        text: 'Deploy',
        attachments: [
          {
            fallback: 'never shown',
            color: '#36a64f',
            pretext: 'before',
            text: 'after',
            author_name: 'Grace',
            author_link: 'https://example.com/grace',
            author_icon: 'https://example.com/grace.png',
            title: 'Rocket',
            title_link: 'https://example.com/rocket',
            fields: [
              { title: 'Priority', value: 'High', short: true },
              { title: 'no value', value: '' },
            ],
            image_url: 'https://example.com/a.png',
            thumb_url: 'https://example.com/b.png',
            footer: 'API',
            ts: '1700000000',
          },
          {
            color: 'good',
            fallback: 'Only a fallback',
            title_link: 'ftp://example.com',
            author_link: 'https://x.y',
          },
          { color: '#36a64f' },
        ],
      });
      const [message] = await hook.messages();
      expect(message?.author.username).toBe('Build');
      expect(message?.embeds).toHaveLength(2);
      expect(message?.embeds[0]).toMatchObject({
        type: 'rich',
        color: 0x36a64f,
        description: 'before\nafter',
        author: {
          name: 'Grace',
          url: 'https://example.com/grace',
          icon_url: 'https://example.com/grace.png',
        },
        title: 'Rocket',
        url: 'https://example.com/rocket',
        fields: [{ name: 'Priority', value: 'High', inline: true }],
        image: { url: 'https://example.com/a.png' },
        thumbnail: { url: 'https://example.com/b.png' },
        footer: { text: 'API' },
      });
      expect(Date.parse(message?.embeds[0]?.timestamp ?? '')).toBe(1_700_000_000_000);
      expect(message?.embeds[1]).toMatchObject({ description: 'Only a fallback' });
      for (const absent of ['color', 'url', 'author', 'title']) {
        expect(message?.embeds[1]).not.toHaveProperty(absent);
      }
    });

    it('sees a refusal as its own error', async () => {
      const hook = await newWebhook(stack.api);
      const client = new IncomingWebhook(urlOf(hook.path));
      const code = ErrorCode.HTTPError;
      await expect(client.send({ text: ' ' })).rejects.toMatchObject({ code });
      await expect(client.send('x'.repeat(4001))).rejects.toMatchObject({ code });
      expect(await hook.messages()).toEqual([]);
    });
  });

  describe('the chat-tool route', () => {
    const html = (reply: { status: number; text: string; headers: Headers }) => [
      reply.status,
      reply.text,
      reply.headers.get('content-type')?.split(';')[0],
    ];

    it('answers the two bytes ok as text/html, for JSON under any type and for the form field payload', async () => {
      const hook = await newWebhook(stack.api);
      const json = JSON.stringify({ text: 'hello' });
      const form = new URLSearchParams({ payload: json }).toString();
      const bodies: [string, string | Uint8Array][] = [
        ['application/json', json],
        ['text/plain', json],
        ['application/vnd.chat+json', json],
        ['application/x-www-form-urlencoded', form],
        ['application/x-www-form-urlencoded; charset=utf-8', form],
      ];
      for (const [type, body] of bodies) {
        const reply = await stack.api.post(`${hook.path}/chatcompat`, body, { 'content-type': type });
        expect([type, ...html(reply)]).toEqual([type, 200, 'ok', 'text/html']);
      }
      const untyped = await stack.api.post(`${hook.path}/chatcompat`, new TextEncoder().encode(json));
      expect(html(untyped), 'no content type').toEqual([200, 'ok', 'text/html']);
      expect((await hook.messages()).map(({ content }) => content)).toEqual(Array(6).fill('hello'));
    });

    it('refuses payloads that render no message, broken JSON, multipart, texts over 4,000 and names over 80', async () => {
      const hook = await newWebhook(stack.api);
      const post = (body: unknown) => stack.api.post(`${hook.path}/chatcompat`, body);
      for (const nothing of [
        {},
        { text: '  ' },
        { text: null, attachments: [null, {}, { color: '#ffffff' }, { ts: 1 }] },
      ]) {
        expectError(await post(nothing), 400, 'BAD_REQUEST');
      }
      const broken = await stack.api.post(`${hook.path}/chatcompat`, '{"text":', {
        'content-type': 'application/json',
      });
      expect(broken.status).toBe(400);
      const data = new FormData();
      data.set('payload', '{"text":"x"}');
      expect((await post(data)).status).toBe(400);
      expect((await post({ text: 'é'.repeat(4001) })).status).toBe(400);
      expectError(await post({ text: 'x', username: 'u'.repeat(81) }), 400, 'INVALID_FORM_BODY');
      expect(await hook.messages()).toHaveLength(0);
    });

    it('cuts a long alert instead of refusing it', async () => {
      const hook = await newWebhook(stack.api);
      const attachments = Array.from({ length: 12 }, (_, n) => ({
        title: `${n} ${'t'.repeat(300)}`,
        text: 'x'.repeat(400),
      }));
      expect((await stack.api.post(`${hook.path}/chatcompat`, { attachments })).status).toBe(200);
      const [message] = await hook.messages();
      const embeds = message?.embeds ?? [];
      expect(embeds.length).toBeGreaterThan(0);
      expect(embeds.length, 'attachments after the tenth are dropped').toBeLessThanOrEqual(10);
      expect(embeds[0]?.title, 'cut to 256, the dots inside').toMatch(/^0 t{251}\.\.\.$/);
      const all = embeds.map(({ title = '', description = '' }) => [...title, ...description].length);
      expect(all.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(6000);
    });

    it('treats blank strings, nulls and members of a wrong type as absent', async () => {
      const hook = await newWebhook(stack.api);
      const odd = {
        text: 'kept',
        username: '  ',
        icon_url: 5,
        attachments: [
          { title: 7, fields: [{ title: true, value: 0, short: 'True' }, null, 'x'], ts: 'soon', footer: {} },
        ],
      };
      expect((await stack.api.post(`${hook.path}/chatcompat`, odd)).status).toBe(200);
      const [message] = await hook.messages();
      expect(message).toMatchObject({
        content: 'kept',
        author: { username: 'Build' },
        embeds: [{ fields: [{ name: 'true', value: '0', inline: true }] }],
      });
      expect(message?.embeds[0]).not.toHaveProperty('footer');
      expect(message?.embeds[0]).not.toHaveProperty('timestamp');
    });
  });
}

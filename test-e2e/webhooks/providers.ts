import { describe, expect, it } from 'vitest';
import type { Message } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook } from './calls.ts';

/** Payload formats of other services. Their rendering is tested in webhook-delivery. */
export function providers(stack: TestStack): void {
  async function open() {
    const hook = await openWebhook(stack, { name: 'Build', avatar: png(2, 6).toString('base64') });
    const send = async (suffix: string, body: unknown, headers: Record<string, string> = {}) => {
      const reply = await stack.api.post(`${hook.path}${suffix}`, body, headers);
      return [reply.status, reply.text];
    };
    const last = async (): Promise<Message | undefined> => (await hook.messages())[0];
    return { ...hook, send, last };
  }

  describe('a provider’s payload', () => {
    it('of a chat tool gets "ok" and is posted under its username', async () => {
      const { send, last, webhook, owner } = await open();
      const text = `<@${owner.user.id}> @everyone`;
      const body = {
        text,
        username: ' Alerts ',
        attachments: [{ title: 'Disk', color: '#36a64f', fields: [{ title: 'free', value: 0 }] }],
        allowed_mentions: { parse: ['users', 'everyone'] },
      };
      expect(await send('/chatcompat', body)).toEqual([200, 'ok']);
      expect(await last()).toMatchObject({
        content: text,
        author: { id: webhook.id, username: 'Alerts', avatar: webhook.avatar, bot: true },
        embeds: [
          {
            type: 'rich',
            title: 'Disk',
            color: 0x36a64f,
            fields: [{ name: 'free', value: '0', inline: false }],
          },
        ],
        mentions: [],
        mention_everyone: false,
      });
      expect(await send('/chatcompat', { text: 'x' })).toEqual([200, 'ok']);
      expect((await last())?.author.username).toBe('Build');
    });

    it('of a code host is recognized and deduplicated by its headers', async () => {
      const { send, last, messages, webhook } = await open();
      const repository = { full_name: 'acme/rocket', name: 'rocket', html_url: 'https://a.example/r' };
      const sender = { login: 'sam', html_url: 'https://a.example/sam', avatar_url: 'https://a.example/s' };
      const star = { action: 'started', repository, sender };
      const headers = (event: string, delivery: string) => ({
        'x-codehost-event': event,
        'x-codehost-delivery': delivery,
      });
      expect(await send('/codehost', star)).toEqual([204, '']);
      expect(await send('/codehost', star, headers('ping', 'one'))).toEqual([204, '']);
      expect(await messages()).toEqual([]);
      for (const delivery of ['one', 'one', 'ONE'])
        expect(await send('/codehost', star, headers('watch', delivery))).toEqual([204, '']);
      expect(await messages()).toHaveLength(2);
      expect(await last()).toMatchObject({
        content: '',
        author: { id: webhook.id, username: 'Code host', avatar: null, bot: true },
        embeds: [
          {
            type: 'rich',
            title: '[acme/rocket] New star added',
            url: 'https://a.example/r',
            author: { name: 'sam', url: 'https://a.example/sam', icon_url: 'https://a.example/s' },
          },
        ],
      });
    });

    it('of a status page gets an empty response, rendered or not', async () => {
      const { send, last, messages, webhook } = await open();
      expect(await send('/statuspage', { incident: { name: ' ' } })).toEqual([204, '']);
      expect(await messages()).toEqual([]);
      const incident = { name: 'Slow', status: 'investigating', updated_at: '2026-05-01T09:00:00Z' };
      expect(await send('/statuspage', { incident })).toEqual([204, '']);
      expect(await last()).toMatchObject({
        content: '',
        author: { id: webhook.id, username: 'Status page', avatar: null, bot: true },
        embeds: [
          {
            type: 'rich',
            title: 'Slow',
            color: 0xe23c39,
            timestamp: '2026-05-01T09:00:00.000Z',
            fields: [{ name: 'Status', value: 'Investigating', inline: true }],
          },
        ],
      });
    });
  });
}

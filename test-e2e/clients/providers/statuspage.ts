import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const FOLDER = new URL('../../../services/webhook-delivery/test/golden/statuspage/', import.meta.url);

interface Golden {
  readonly payload: object;
  readonly embed: Readonly<Record<string, unknown>>;
}

export function statuspageNotifications(stack: TestStack): void {
  const notify = (path: string, body: unknown, headers?: Record<string, string>) =>
    stack.api.post(`${path}/statuspage`, body, headers);

  describe('status pages’ documented notifications', () => {
    it.each(readdirSync(FOLDER))('%s is one message of the status page, with one embed', async (file) => {
      const { payload, embed }: Golden = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      const hook = await newWebhook(stack.api);
      const reply = await notify(hook.path, payload);
      expect([reply.status, reply.text]).toEqual([204, '']);
      const [message, ...more] = await hook.messages();
      expect(more).toEqual([]);
      const { id } = hook.webhook;
      const author = { id, username: 'Status page', discriminator: '0000', avatar: null, bot: true };
      expect(message).toMatchObject({ content: '', webhook_id: id, author, mentions: [] });
      const parts = Object.entries(embed).filter(([, part]) => part !== null);
      expect(message?.embeds).toEqual([{ type: 'rich', fields: [], ...Object.fromEntries(parts) }]);
    });
  });

  describe('a status page’s notification', () => {
    const notification = { maintenance: { name: 'New disks' } };

    it('renders a new message each time, and notifies nobody', async () => {
      const hook = await newWebhook(stack.api);
      const loud = { incident: { name: `@everyone <@${hook.owner.user.id}>` } };
      for (const body of [notification, notification, loud]) {
        expect((await notify(hook.path, body)).status).toBe(204);
      }
      const messages = await hook.messages();
      expect(messages).toHaveLength(3);
      expect(messages[0]).toMatchObject({ mention_everyone: false, mentions: [] });
    });

    it('may be the form field "payload", but not multipart', async () => {
      const hook = await newWebhook(stack.api);
      const form = new URLSearchParams({ payload: JSON.stringify(notification) }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await notify(hook.path, form, type)).status).toBe(204);
      expect(await hook.messages()).toHaveLength(1);
      const data = new FormData();
      data.set('payload', JSON.stringify(notification));
      expect((await notify(hook.path, data)).status).toBe(400);
      expect(await hook.messages()).toHaveLength(1);
    });

    it('is 204 without a message if it has nothing to show', async () => {
      const hook = await newWebhook(stack.api);
      const nothing = ['', 'no json', '[]', {}, { incident: { name: ' ' }, ...notification }];
      for (const body of nothing) {
        const reply = await notify(hook.path, body);
        expect([reply.status, reply.text]).toEqual([204, '']);
      }
      expect(await hook.messages()).toHaveLength(0);
    });

    it('is cut if it is long, not refused', async () => {
      const hook = await newWebhook(stack.api);
      const long = 'é'.repeat(9000);
      const item = {
        name: long,
        status: long,
        start: '2026-05-01T10:00:00Z',
        maintenance_updates: [{ body: long }],
        components: Array(5000).fill({ name: 'Disk', status: 'up' }),
      };
      const page = { status_description: long };
      expect((await notify(hook.path, { page, maintenance: item })).status).toBe(204);
      const [message] = await hook.messages();
      expect(message?.embeds[0]?.title).toBe(`${'é'.repeat(253)}...`);
      expect(message?.embeds[0]?.description).toBe(`${'é'.repeat(4093)}...`);
      expect(message?.embeds[0]?.fields?.map(({ name }) => name)).toEqual([
        'Status',
        'Window',
        'Affected components',
      ]);
    });
  });
}

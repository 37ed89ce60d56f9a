import { describe, expect, it } from 'vitest';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import type { AuditLog } from '../support/objects.ts';
import { hookIn, newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';

export function tokenRoutes(suite: TestSuite): void {
  const broken = { 'content-type': 'application/json' };

  describe('a webhook token route', () => {
    it('looks at the ID first, then at the token, then at the body', async () => {
      const { path, webhook } = await newHook(suite.api);
      const wrong = `/webhooks/${webhook.id}/${'x'.repeat(64)}`;
      const unknown = `/webhooks/1/${webhook.token}`;
      for (const suffix of ['', '/chatcompat', '/codehost', '/statuspage']) {
        expectError(await suite.api.post(`${unknown}${suffix}`, '{', broken), 404, 'NOT_FOUND');
        expectError(await suite.api.post(`${wrong}${suffix}`, '{', broken), 401, 'UNAUTHORIZED');
        expectError(
          await suite.api.post(`${wrong}${suffix}`, { content: 5, embeds: 'x' }),
          401,
          'UNAUTHORIZED',
        );
      }
      expectNotJson(await suite.api.post(path, '{', broken));
      expect((await suite.api.post(`${path}/chatcompat`, '{', broken)).status).toBe(400);
      expect((await suite.api.post(`${path}/codehost`, '{', broken)).status).toBe(204);
      expect((await suite.api.post(`${path}/statuspage`, '{', broken)).status).toBe(204);
      expectError(await suite.api.get(unknown), 404, 'NOT_FOUND');
      expectError(await suite.api.get(wrong), 401, 'UNAUTHORIZED');
      expectError(await suite.api.get(`${unknown}/messages/1`), 404, 'NOT_FOUND');
      expectError(await suite.api.get(`${wrong}/messages/1`), 401, 'UNAUTHORIZED');
      expectError(await suite.api.get(`${path}/messages/1`), 404, 'UNKNOWN_MESSAGE');

      const patch = (to: string) => suite.api.send('PATCH', to, { body: '{', headers: broken });
      for (const suffix of ['', '/messages/1']) {
        expectError(await patch(`${unknown}${suffix}`), 404, 'NOT_FOUND');
        expectError(await patch(`${wrong}${suffix}`), 401, 'UNAUTHORIZED');
        expectNotJson(await patch(`${path}${suffix}`));
        expectError(await suite.api.send('DELETE', `${unknown}${suffix}`), 404, 'NOT_FOUND');
        expectError(await suite.api.send('DELETE', `${wrong}${suffix}`), 401, 'UNAUTHORIZED');
      }
      expectError(await suite.api.send('DELETE', `${path}/messages/1`), 404, 'UNKNOWN_MESSAGE');
    });

    it('changes and ends the webhook for who has its token, and leaves no audit log entry', async () => {
      const { path, webhook, say, owner, guild } = await newHook(suite.api);
      const { user: _, ...shown } = webhook;
      const patch = (body: object) => suite.api.send('PATCH', path, { body });
      const { id } = await say({ content: 'stays' });
      const renamed = { ...shown, name: 'Night watch' };
      expect((await patch({ name: ' Night watch ' })).json()).toEqual(renamed);
      expect((await suite.api.get(path)).json()).toEqual(renamed);
      for (const channel_id of [webhook.channel_id, null, 'x'])
        expectError(await patch({ channel_id, name: '' }), 403, 'FORBIDDEN');
      expectError(await patch({ name: ' ', avatar: 'none' }), 400, 'BAD_REQUEST', {
        name: 'WEBHOOK_NAME_LENGTH_INVALID',
        avatar: 'INVALID_FORMAT',
      });
      expectError(await patch({ name: 5 }), 400, 'INVALID_FORM_BODY', { name: 'INVALID_FORMAT' });
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
      expectNotJson(await suite.api.send('PATCH', path, { body: '{"name":"x"}', headers: multipart }));

      const replies = await Promise.all(Array.from({ length: 8 }, () => suite.api.send('DELETE', path)));
      expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
      expectError(await suite.api.get(path), 404, 'NOT_FOUND');
      expect((await owner.api.get(`/channels/${webhook.channel_id}/messages/${id}`)).status).toBe(200);
      const log = (await owner.api.get(`/guilds/${guild.id}/audit-logs`)).json<AuditLog>();
      expect(log.audit_log_entries.map(({ action_type }) => action_type)).toEqual([50]);
      const { id: webhook_id, guild_id, channel_id, name, avatar } = renamed;
      expect(log.webhooks).toEqual([{ id: webhook_id, guild_id, channel_id, name, avatar }]);
    });

    it('takes no other spelling of the token, however odd or long', async () => {
      const { webhook, owner } = await newHook(suite.api);
      const other = await newHook(suite.api);
      const { token } = webhook;
      const tokens = [
        token.slice(1),
        `${token}x`,
        token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
        other.webhook.token,
        `${token}%20`,
        '%zz',
        '%ff%fe',
        '%2F',
        "'%20OR%201=1--",
        'x'.repeat(9000),
      ];
      for (const nul of ['%00', `${token}%00`]) {
        const { status } = await suite.api.get(`/webhooks/${webhook.id}/${nul}`);
        expect([400, 401], 'a NUL byte is refused, as such or as a wrong token').toContain(status);
      }
      for (const wrong of tokens) {
        const label = wrong.slice(-20);
        expect([label, (await suite.api.get(`/webhooks/${webhook.id}/${wrong}`)).status]).toEqual([
          label,
          401,
        ]);
        const executed = await owner.api.post(`/webhooks/${webhook.id}/${wrong}`, { content: 'x' });
        expect([label, executed.status], 'a session grants nothing here').toEqual([label, 401]);
      }
    });

    it('ignores the Authorization header, good or bad', async () => {
      const { path, owner } = await newHook(suite.api);
      for (const header of ['Bearer nonsense', 'Basic eDp5', '', `Bearer ${owner.token}`]) {
        const api = suite.api.as(header);
        expect((await api.post(path, { content: 'x' })).status).toBe(204);
        expect((await api.get(path)).status).toBe(200);
      }
    });

    it('gives only the messages of its own webhook', async () => {
      const hook = await newHook(suite.api);
      const sibling = await hookIn(hook, suite.api);
      const { id } = await sibling.say({ content: 'mine' });
      const posted = await hook.owner.api.post(`/channels/${hook.channel.id}/messages`, {
        content: 'a person’s',
      });
      for (const others of [id, posted.json<{ id: string }>().id]) {
        expectError(await suite.api.get(`${hook.path}/messages/${others}`), 403, 'MISSING_PERMISSIONS');
      }
      const elsewhere = await newHook(suite.api);
      expectError(await suite.api.get(`${elsewhere.path}/messages/${id}`), 404, 'UNKNOWN_MESSAGE');
    });
  });
}

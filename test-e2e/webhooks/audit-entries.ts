import { describe, expect, it } from 'vitest';
import { type Api, withGlobalRetry } from '../support/api.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { newGuild } from '../support/guilds.ts';
import type { AuditLog, Webhook } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook } from './calls.ts';

const face = (grey: number) => png(2, grey).toString('base64');

export function auditEntries(stack: TestStack): void {
  const read = (api: Api, guild_id: string, query = '') =>
    expectOk<AuditLog>(api.get(`/guilds/${guild_id}/audit-logs${query}`));

  describe('a webhook’s audit entries', () => {
    it('contain no token, and do not exist for token routes', async () => {
      const { owner, guild, webhook, path, say } = await openWebhook(stack);
      const api = withGlobalRetry(stack.api);
      const before = await read(owner.api, guild.id);
      const { id } = await say({ content: 'x' });
      await expectOk(api.send('PATCH', path, { body: { name: 'Other', avatar: face(3) } }));
      await expectOk(api.send('PATCH', `${path}/messages/${id}`, { body: { content: 'y' } }));
      await expectNoContent(api.send('DELETE', `${path}/messages/${id}`));
      // Also with the owner's session, which token routes ignore.
      await expectNoContent(owner.api.send('DELETE', path));
      const after = await owner.api.get(`/guilds/${guild.id}/audit-logs`);
      expect(after.json<AuditLog>().audit_log_entries).toEqual(before.audit_log_entries);
      expect(after.text).not.toContain(webhook.token);
    });

    it('keep the decoded reason on all three routes, and are filtered by action type', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, guild, channel } = fixture;
      const why = (reason: string) => ({ 'x-audit-log-reason': reason });
      const made = await owner.api.post(
        `/channels/${channel.id}/webhooks`,
        { name: 'x' },
        why('100%25%20sure'),
      );
      const { id } = made.json<Webhook>();
      await expectOk(patchWebhook(owner.api, id, { name: 'y' }, why('%F0%9F%98%80'.repeat(512))));
      await expectNoContent(deleteWebhook(owner.api, id, why('gr%C3%BCn%0D%0AX-Evil:%201')));
      const found = async (number: number) =>
        (await read(owner.api, guild.id, `?action_type=${number}`)).audit_log_entries.map(
          ({ reason }) => reason,
        );
      expect(await found(50)).toEqual(['100% sure']);
      expect(await found(51)).toEqual(['😀'.repeat(512)]);
      expect(await found(52)).toEqual(['grün\r\nX-Evil: 1']);
    });
  });
}

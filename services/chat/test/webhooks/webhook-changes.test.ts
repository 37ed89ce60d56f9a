import { violationsOf } from '@gatehouse/dev-env/faults';
import type { RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AddedGuild, addChannel, addGuild, addMember, newId } from '../support/guilds.ts';
import { entriesOf, eventsOf } from '../support/log.ts';
import { as, internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_webhook_changes', 2);
});
afterAll(() => fixture.close());

const MADE = 50;
const CHANGED = 51;
const ENDED = 52;

/** The states of a guild's webhook, as webhook-delivery reports them. */
function webhookIn({ guild_id, general, owner }: AddedGuild) {
  const id = newId();
  let revision = 0;
  return {
    id,
    /** The next change, by the owner; with the webhook's token if `action` is null. */
    next(action: number | null, more: Partial<RecordWebhookChangeRequest> = {}): RecordWebhookChangeRequest {
      revision++;
      const entry = { user_id: owner, reason: null, changes: [] };
      return {
        id: newId(),
        webhook: { id, guild_id, channel_id: general, name: `name ${revision}`, avatar: null },
        revision,
        channel_id: general,
        entry: action === null ? null : { ...entry, action_type: action },
        ...more,
      };
    },
  };
}

const record = (change: RecordWebhookChangeRequest, replica = 0) =>
  fixture.replicas[replica]?.recordWebhookChange(change, internally);
const events = async (guild_id: string) =>
  (await eventsOf(fixture, guild_id)).filter(({ type }) => type === 'WEBHOOKS_UPDATE');
const list = ({ guild_id, owner }: AddedGuild) => fixture.chat.listAuditLog({ guild_id }, as(owner));

describe('a change of a webhook', () => {
  test('has an event for the guild’s sessions, with the former channel', async () => {
    const guild = await addGuild(fixture);
    const { guild_id, general } = guild;
    const webhook = webhookIn(guild);
    const channel_id = await addChannel(fixture, guild_id, 0);
    const state = { id: webhook.id, guild_id, name: 'moved' };
    await record(webhook.next(MADE));
    await record(webhook.next(CHANGED, { webhook: { ...state, channel_id } }));
    await record(webhook.next(null, { webhook: { ...state, channel_id }, channel_id }));
    await record(webhook.next(ENDED, { webhook: { ...state, channel_id }, channel_id }));
    const event = (channel: string) => ({
      type: 'WEBHOOKS_UPDATE',
      account_ids: null,
      channel_id: null,
      payload: { guild_id, channel_id: channel },
    });
    expect(await events(guild_id)).toEqual([general, general, channel_id, channel_id].map(event));
  });

  test('by an account has an audit log entry with its own ID, the reason and the differences', async () => {
    const guild = await addGuild(fixture);
    const webhook = webhookIn(guild);
    const change = webhook.next(CHANGED, {
      entry: {
        action_type: CHANGED,
        user_id: guild.owner,
        reason: 'Because 🙂',
        changes: [
          { key: 'name', old_value: '"a"', new_value: '"b"' },
          { key: 'avatar_hash', old_value: null, new_value: '"a_1"' },
        ],
      },
    });
    await record(change);
    await record(webhook.next(null));
    expect((await list(guild)).audit_log_entries).toEqual([
      {
        id: change.id,
        action_type: 51,
        user_id: guild.owner,
        target_id: webhook.id,
        reason: 'Because 🙂',
        options: null,
        changes: [
          { key: 'name', old_value: '"a"', new_value: '"b"' },
          { key: 'avatar_hash', old_value: null, new_value: '"a_1"' },
        ],
      },
    ]);
  });

  test('changes no permissions: waiting messages are not checked again', async () => {
    const guild = await addGuild(fixture);
    const revision = async () =>
      (await fixture.sql.query('SELECT revision FROM guilds WHERE id = $1', [guild.guild_id])).rows[0]
        .revision;
    const before = await revision();
    const webhook = webhookIn(guild);
    for (const action of [MADE, CHANGED, null]) await record(webhook.next(action));
    expect(await revision()).toBe(before);
  });

  test('of a deleted guild is ignored', async () => {
    const guild = await addGuild(fixture);
    const webhook = webhookIn(guild);
    await record(webhook.next(MADE));
    await fixture.chat.deleteGuild({ guild_id: guild.guild_id }, as(guild.owner));
    const before = await eventsOf(fixture, guild.guild_id);
    await record(webhook.next(CHANGED));
    await record(webhookIn({ ...guild, guild_id: newId() }).next(MADE));
    expect(await eventsOf(fixture, guild.guild_id)).toEqual(before);
    expect(await entriesOf(fixture, guild.guild_id)).toEqual([]);
    const { rowCount } = await fixture.sql.query('SELECT FROM webhook_summaries WHERE id = $1', [webhook.id]);
    expect(rowCount).toBe(0);
  });

  test('that is invalid is refused for each field', async () => {
    const guild = await addGuild(fixture);
    const entry = {
      action_type: 49,
      user_id: 'x',
      changes: [{ key: 'name', old_value: '{', new_value: 'b' }],
    };
    const wrong = webhookIn(guild).next(null, { id: 'x', webhook: null, revision: 0, channel_id: '', entry });
    expect(await violationsOf(fixture.chat.recordWebhookChange(wrong, internally))).toEqual([
      'id INVALID_SNOWFLAKE_FORMAT',
      'revision VALUE_MUST_BE_INTEGER_IN_RANGE',
      'channel_id INVALID_SNOWFLAKE_FORMAT',
      'webhook.id INVALID_SNOWFLAKE_FORMAT',
      'webhook.guild_id INVALID_SNOWFLAKE_FORMAT',
      'webhook.channel_id INVALID_SNOWFLAKE_FORMAT',
      'entry.action_type INVALID_FORMAT',
      'entry.user_id INVALID_SNOWFLAKE_FORMAT',
      'entry.changes.0.old_value INVALID_FORMAT',
      'entry.changes.0.new_value INVALID_FORMAT',
    ]);
  });
});

describe('reported changes', () => {
  test('repeatedly, in any order, at both replicas, are each recorded once', async () => {
    const guild = await addGuild(fixture);
    const webhook = webhookIn(guild);
    const changes = Array.from({ length: 16 }, (_, n) =>
      webhook.next(n === 0 ? MADE : n % 3 === 0 ? null : CHANGED, { channel_id: `${100 + n}` }),
    );
    const shuffled = [...changes.toReversed(), ...changes, ...changes.filter((_, n) => n % 2 === 0)];
    await Promise.all(shuffled.map((change, n) => record(change, n % 2)));
    for (const change of changes) await record(change);

    const channels = (await events(guild.guild_id)).map(({ payload }) => Number(payload.channel_id));
    expect(channels.sort((a, b) => a - b)).toEqual(changes.map((_, n) => 100 + n));
    const { audit_log_entries, webhooks } = await list(guild);
    const entries = changes.filter(({ entry }) => entry !== null).map(({ id }) => id);
    expect(audit_log_entries.map(({ id }) => id)).toEqual(entries.toReversed());
    expect(webhooks).toEqual([changes.at(-1)?.webhook]);
  });

  test('are recorded without the earlier ones', async () => {
    const guild = await addGuild(fixture);
    const webhook = webhookIn(guild);
    const [, second, , fourth] = Array.from({ length: 4 }, () => webhook.next(CHANGED));
    for (const change of [fourth, second, fourth, second]) if (change !== undefined) await record(change);
    expect(await events(guild.guild_id)).toHaveLength(2);
    expect((await list(guild)).webhooks.map(({ name }) => name)).toEqual(['name 4']);
  });
});

describe('the webhooks of an audit log', () => {
  test('belong to its entries, in their current or last state, once each, without a token', async () => {
    const guild = await addGuild(fixture);
    const [kept, ended, silent] = [webhookIn(guild), webhookIn(guild), webhookIn(guild)];
    await record(kept.next(MADE));
    await record(ended.next(MADE));
    await record(ended.next(ENDED));
    await record(silent.next(null));
    const channel_id = await addChannel(fixture, guild.guild_id, 0);
    const last = { id: kept.id, guild_id: guild.guild_id, channel_id, name: 'by token', avatar: 'a_1' };
    await record(kept.next(null, { webhook: last }));
    const { webhooks } = await list(guild);
    expect(webhooks).toEqual([
      last,
      { id: ended.id, guild_id: guild.guild_id, channel_id: guild.general, name: 'name 2', avatar: null },
    ]);
  });

  test('belong to the entries of the page', async () => {
    const guild = await addGuild(fixture);
    const [one, two] = [webhookIn(guild), webhookIn(guild)];
    await record(one.next(MADE));
    await record(two.next(MADE));
    const as_owner = as(guild.owner);
    const page = await fixture.chat.listAuditLog({ guild_id: guild.guild_id, limit: 1 }, as_owner);
    expect(page.webhooks.map(({ id }) => id)).toEqual([two.id]);
    const none = await fixture.chat.listAuditLog({ guild_id: guild.guild_id, action_type: 1 }, as_owner);
    expect(none.webhooks).toEqual([]);
  });

  test('are the guild’s, even if another guild’s entry names them', async () => {
    const [one, other] = [await addGuild(fixture), await addGuild(fixture)];
    const webhook = webhookIn(one);
    await record(webhook.next(MADE));
    await fixture.sql.query(
      `INSERT INTO audit_log_entries (id, guild_id, action_type, user_id, target_id, changes)
       VALUES ($1, $2, 50, $3, $4, '[]')`,
      [newId(), other.guild_id, await addMember(fixture, other.guild_id), webhook.id],
    );
    expect((await list(other)).webhooks).toEqual([]);
  });
});

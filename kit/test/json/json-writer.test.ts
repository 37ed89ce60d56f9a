import { describe, expect, it } from 'vitest';
import { jsonWriter } from '../../src/json.ts';

const MESSAGE = 'gatehouse.chat.v1.Message';

const author = { id: '1', username: 'u', discriminator: '0001', global_name: null, avatar: null, bot: false };
const message = {
  id: '2',
  channel_id: '3',
  author,
  webhook_id: null,
  type: 0,
  flags: 0,
  content: 'x',
  timestamp: '2026-01-01T00:00:00.000Z',
  edited_timestamp: null,
  pinned: false,
  mention_everyone: false,
  tts: false,
  mentions: [author],
  mention_roles: [],
  embeds: [
    {
      type: 'rich',
      title: 't',
      description: undefined,
      url: null,
      color: 0,
      author: { name: 'n', url: null, icon_url: 'i' },
      fields: [{ name: 'n', value: 'v', inline: false }],
    },
  ],
  attachments: [],
  nonce: undefined,
};

describe('an answer', () => {
  it('has every field: null if absent, or omitted if the contract says so, at any depth', () => {
    const { webhook_id: _, nonce: __, ...plain } = message;
    const { description: ___, url: ____, ...embed } = message.embeds[0] ?? {};
    expect(JSON.parse(jsonWriter<typeof message>(MESSAGE)(message))).toEqual({
      ...plain,
      embeds: [{ ...embed, author: { name: 'n', icon_url: 'i' } }],
    });
    const full = { ...message, webhook_id: '4', nonce: 'n', edited_timestamp: message.timestamp };
    expect(JSON.parse(jsonWriter<typeof full>(MESSAGE)(full))).toMatchObject({
      webhook_id: '4',
      nonce: 'n',
      edited_timestamp: message.timestamp,
    });
  });

  it('writes null for undefined fields', () => {
    const channel = { id: '1', type: 0, name: undefined, position: 0, rate_limit_per_user: 0 };
    const written = JSON.parse(
      jsonWriter<Record<string, unknown>>('gatehouse.chat.v1.Channel')({
        ...channel,
        permission_overwrites: [],
        recipients: [],
      }),
    );
    expect(written).toEqual({
      ...channel,
      name: null,
      topic: null,
      parent_id: null,
      permission_overwrites: [],
      last_message_id: null,
    });
  });

  it('distinguishes a null text from an absent one', () => {
    const user = { sub: '1', id: '1', username: 'u', discriminator: '0', global_name: 'u', avatar: null };
    const write = jsonWriter('gatehouse.oauth2.v1.GetUserInfoResponse');
    expect(JSON.parse(write({ ...user, email: undefined }))).toEqual(user);
    expect(JSON.parse(write({ ...user, email: '' }))).toEqual({ ...user, email: null });
  });

  it('may be a single member of the message', () => {
    const list = jsonWriter<{ messages: unknown[] }>('gatehouse.chat.v1.ListMessagesResponse', 'messages');
    expect(list({ messages: [] })).toBe('[]');
    expect(JSON.parse(list({ messages: [message] }))).toMatchObject([{ id: '2', author }]);
    const one = jsonWriter<{ message: unknown }>('gatehouse.chat.v1.GetMessageResponse', 'message');
    expect(JSON.parse(one({ message }))).toMatchObject({ id: '2' });
    expect(one({ message: null })).toBe('null');
  });

  it('fails for an unknown message or member when the writer is made', () => {
    expect(() => jsonWriter('gatehouse.chat.v1.Nothing')).toThrow(/no such type/i);
    expect(() => jsonWriter<Record<string, unknown>>(MESSAGE, 'nothing')).toThrow('has no field nothing');
  });
});

import { describe, expect, it } from 'vitest';
import { exactJsonWriter, jsonWriter } from '../../src/json.ts';

const CHANNEL = 'gatehouse.chat.v1.Channel';

const channel = {
  id: '1',
  guild_id: '2',
  type: 0,
  name: 'a "name" \u2028',
  topic: null,
  position: 3,
  parent_id: null,
  rate_limit_per_user: 0,
  permission_overwrites: [{ id: '2', type: 0, allow: '0', deny: '8' }],
  last_message_id: null,
  recipients: [],
  owner_id: null,
};

const write = exactJsonWriter(CHANNEL);

describe('any object, written as JSON of a message', () => {
  it('is written as the message is', () => {
    const text = jsonWriter<typeof channel>(CHANNEL)(channel);
    expect(write(channel)).toEqual({ text, complete: true });
  });

  it('has only the message’s fields, in their order', () => {
    const { id, guild_id, permission_overwrites, ...rest } = channel;
    const overwrites = permission_overwrites.map((one) => ({ z: 1, ...one, reason: 'x' }));
    const more = { more: 1, ...rest, permission_overwrites: overwrites, guild_id, id, toJSON: 1 };
    expect(write(more)).toEqual(write(channel));
  });

  it('may lack optional fields and lists, which become null or are left out', () => {
    const { name: _, topic: __, guild_id: ___, permission_overwrites: ____, ...rest } = channel;
    const { text, complete } = write(rest);
    expect(complete).toBe(true);
    const { recipients: _5, owner_id: _6, ...shown } = rest;
    expect(JSON.parse(text)).toEqual({ ...shown, name: null, topic: null, permission_overwrites: [] });
  });

  it('is incomplete if a member is missing or of another type, and gets its empty value', () => {
    const { id: _, ...rest } = channel;
    const empty: [object, object][] = [
      [rest, { id: '' }],
      [{ ...channel, id: 1 }, { id: '' }],
      [{ ...channel, position: '3' }, { position: 0 }],
      [{ ...channel, position: 0.5 }, { position: 0 }],
      [{ ...channel, name: ['x'] }, { name: '' }],
      [{ ...channel, permission_overwrites: {} }, { permission_overwrites: [] }],
      [
        { ...channel, permission_overwrites: [null] },
        { permission_overwrites: [{ id: '', type: 0, allow: '', deny: '' }] },
      ],
    ];
    for (const [value, expected] of empty) {
      const { text, complete } = write(value);
      expect(complete).toBe(false);
      expect(JSON.parse(text)).toMatchObject(expected);
    }
  });

  it('is not offered for messages with fields that only requests have', () => {
    expect(() => exactJsonWriter('gatehouse.chat.v1.UpdateGuildRequest')).toThrow('has no exact form');
  });
});

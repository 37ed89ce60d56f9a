import { describe, expect, it } from 'vitest';
import {
  eventPayload,
  eventPayloadFor,
  isPersonal,
  isReplayable,
  usersShown,
} from '../../src/payloads/event-payload.ts';
import type { LogEvent } from '../../src/world/event.ts';
import {
  ann,
  bob,
  bobInGuild,
  byWebhook,
  EVENTS,
  editors,
  everyone,
  guild,
  hello,
  LUNCH_EVENTS,
  logEvent,
  lunch,
  users,
} from './samples.ts';

function received(type: string, payload?: object, place?: Partial<LogEvent>): unknown {
  const event = payload === undefined ? ofType(type) : logEvent(type, payload, place);
  const { t, d } = eventPayload(event, users, [everyone, editors]) ?? {};
  return t === type && d !== undefined ? JSON.parse(d) : undefined;
}

function ofType(type: string): LogEvent {
  const event = EVENTS.find((one) => one.type === type);
  if (event === undefined) throw new Error(`no event ${type}`);
  return event;
}

const deleted = {
  id: '1003',
  username: 'Deleted User',
  discriminator: '0',
  global_name: null,
  avatar: null,
  bot: false,
};
const { account_id: _, role_ids: __, ...profile } = bobInGuild;

describe('the payload', () => {
  it('of a guild has its roles in order', () => {
    expect(received('GUILD_UPDATE')).toEqual({ ...guild, roles: [everyone, editors] });
    const again = eventPayload(ofType('GUILD_UPDATE'), users, [editors, everyone]);
    expect(JSON.parse(again?.d ?? '')).toEqual({ ...guild, roles: [everyone, editors] });
    expect(received('GUILD_DELETE')).toEqual({ id: '11' });
  });

  it.each(['GUILD_ROLE_CREATE', 'GUILD_ROLE_UPDATE'])('of a role: %s', (type) => {
    expect(received(type)).toEqual({ guild_id: '11', role: editors });
  });

  it.each(['GUILD_MEMBER_ADD', 'GUILD_MEMBER_UPDATE'])(
    'of a member has the user and the guild: %s',
    (type) => {
      expect(received(type)).toEqual({ ...profile, user: bob, roles: ['12'], guild_id: '11' });
    },
  );

  it('of a former member', () => {
    expect(received('GUILD_MEMBER_REMOVE')).toEqual({ guild_id: '11', user: bob });
    expect(received('GUILD_MEMBER_REMOVE', { guild_id: '11', account_id: '1003', member_count: 1 })).toEqual({
      guild_id: '11',
      user: deleted,
    });
  });

  it.each(['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE'])(
    'of a guild’s channel is the same for all viewers: %s',
    (type) => {
      expect(isPersonal(ofType(type))).toBe(false);
      expect(received(type)).toMatchObject({
        id: '21',
        guild_id: '11',
        permission_overwrites: [{ id: '11' }],
      });
      expect(received(type)).not.toHaveProperty('recipients');
      expect(received(type)).not.toHaveProperty('recipient_ids');
    },
  );

  it.each(LUNCH_EVENTS)('of a private channel leaves out the receiver: $type', (event) => {
    expect(isPersonal(event)).toBe(true);
    expect(eventPayload(event, users)).toBeUndefined();
    for (const [id, other] of [
      ['1001', bob],
      ['1002', ann],
    ] as const) {
      const { t, d } = eventPayloadFor(event, id, users) ?? { t: '', d: '' };
      expect(t).toBe(event.type);
      expect(JSON.parse(d)).toMatchObject({ id: '22', type: 3, owner_id: '1002', recipients: [other] });
      expect(JSON.parse(d)).not.toHaveProperty('guild_id');
    }
  });

  it.each(['CHANNEL_RECIPIENT_ADD', 'CHANNEL_RECIPIENT_REMOVE'])('of a recipient: %s', (type) => {
    expect(received(type)).toEqual({ channel_id: '22', user: deleted });
  });

  it('of a message has a guild only in a guild, and a nonce only if it was sent', () => {
    expect(received('MESSAGE_CREATE')).toMatchObject({
      id: hello.id,
      author: ann,
      mentions: [bob],
      nonce: '7',
      guild_id: '11',
      edited_timestamp: null,
      timestamp: '2026-03-16T10:56:01.304Z',
    });
    const place = { channel_id: '22', account_ids: ['1001'] };
    const { mention_ids: ___, ...rest } = hello;
    const message = received('MESSAGE_CREATE', { ...rest, mention_ids: [] }, place);
    for (const absent of ['guild_id', 'nonce', 'webhook_id', 'author_id'])
      expect(message).not.toHaveProperty(absent);
    expect(received('MESSAGE_UPDATE')).toMatchObject({ edited_timestamp: '2026-03-14T09:30:00.000Z' });
  });

  it('of a webhook’s message has the name and avatar under which it was posted', () => {
    expect(received('MESSAGE_CREATE', byWebhook, { channel_id: '21', guild_id: '11' })).toMatchObject({
      author: {
        id: '41',
        username: 'Deploys',
        discriminator: '0000',
        global_name: null,
        avatar: 'a1b2',
        bot: true,
      },
      webhook_id: '41',
      mention_roles: ['12'],
    });
  });

  it('of a deleted message has a guild only in a guild', () => {
    expect(received('MESSAGE_DELETE')).toEqual({ id: hello.id, channel_id: '21', guild_id: '11' });
    const place = { channel_id: '22', account_ids: ['1001'] };
    expect(received('MESSAGE_DELETE', { id: '31', channel_id: '22' }, place)).toEqual({
      id: '31',
      channel_id: '22',
    });
  });

  it('is undefined for events that are delivered in another form', () => {
    expect(
      received('GUILD_CREATE', { guild_id: '11' }, { account_ids: ['1001'], guild_id: '11' }),
    ).toBeUndefined();
    expect(received('SOMETHING_NEW', {})).toBeUndefined();
  });
});

describe('the users that an event shows', () => {
  it('are those in its payload', () => {
    const shown = Object.fromEntries(EVENTS.map((event) => [event.type, usersShown(event)] as const));
    expect(Object.fromEntries(Object.entries(shown).filter(([, ids]) => ids.length > 0))).toEqual({
      GUILD_MEMBER_ADD: ['1002'],
      GUILD_MEMBER_UPDATE: ['1002'],
      GUILD_MEMBER_REMOVE: ['1002'],
      CHANNEL_RECIPIENT_ADD: ['1003'],
      CHANNEL_RECIPIENT_REMOVE: ['1003'],
      MESSAGE_CREATE: ['1001', '1002'],
      MESSAGE_UPDATE: ['1001', '1002'],
    });
    for (const event of LUNCH_EVENTS) expect(usersShown(event)).toEqual(['1002', '1001']);
    expect(usersShown(logEvent('MESSAGE_CREATE', byWebhook))).toEqual([]);
  });
});

describe('an event that is read again', () => {
  it('has the same payload, unless it shows the guild’s roles', () => {
    expect(EVENTS.filter((event) => !isReplayable(event)).map(({ type }) => type)).toEqual(['GUILD_UPDATE']);
  });
});

describe('a payload of another version', () => {
  const known = [...EVENTS, ...LUNCH_EVENTS];

  it('with unknown members is sent without them', () => {
    for (const event of known) {
      const more = withMore(event.payload);
      const later = { ...event, payload: more };
      expect(texts(later)).toEqual(texts(event));
    }
  });

  it.each(known)('without a member, or with a changed one, never throws: $type', (event) => {
    const members = Object.entries(Object(event.payload));
    const payloads: unknown[] = [undefined, null, 7, 'x', [], {}, [event.payload]];
    for (const [name] of members) {
      const rest = Object.fromEntries(members.filter(([other]) => other !== name));
      payloads.push(rest);
      for (const value of [null, 7, 'x', true, [], {}, [7], [null], [{}]])
        payloads.push({ ...rest, [name]: value });
    }
    for (const payload of payloads) {
      const strange = { ...event, payload };
      expect(usersShown(strange).every((id) => typeof id === 'string')).toBe(true);
      for (const text of texts(strange)) expect(text === undefined || isObjectText(text)).toBe(true);
    }
  });

  it('without a member that clients rely on is skipped', () => {
    const { content: ___, ...message } = hello;
    expect(received('MESSAGE_CREATE', message, { guild_id: '11' })).toBeUndefined();
    expect(received('MESSAGE_CREATE', { ...hello, id: 'x' }, { guild_id: '11' })).toBeUndefined();
    expect(
      received('MESSAGE_CREATE', { ...hello, embeds: [{ title: 't' }] }, { guild_id: '11' }),
    ).toBeUndefined();
    expect(received('GUILD_UPDATE', { ...guild, member_count: '2' })).toBeUndefined();
    expect(received('GUILD_ROLE_CREATE', { guild_id: '11', role: { ...editors, hoist: 1 } })).toBeUndefined();
    expect(eventPayloadFor(logEvent('CHANNEL_CREATE', { ...lunch, type: null }), '1', users)).toBeUndefined();
  });
});

function texts(event: LogEvent): readonly (string | undefined)[] {
  return [eventPayload(event, users)?.d, eventPayloadFor(event, '1001', users)?.d].slice(
    ...(isPersonal(event) ? [1, 2] : [0, 1]),
  );
}

function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withMore(member)]);
  return { added: { secret: 1 }, ...Object.fromEntries(members), later: 'secret' };
}

function isObjectText(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

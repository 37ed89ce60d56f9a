import { viewChannel } from '@gatehouse/chat-client/channel-view';
import { viewMember } from '@gatehouse/chat-client/member-view';
import { viewMessage } from '@gatehouse/chat-client/message-view';
import { jsonWriter } from '@gatehouse/kit/json';
import { CurrentUser } from '@gatehouse/proto/auth';
import { Channel, Guild, Member, Message, Role } from '@gatehouse/proto/chat';
import { describe, expect, it } from 'vitest';
import { privateChannel } from '../../src/payloads/channel-payload.ts';
import { eventPayload } from '../../src/payloads/event-payload.ts';
import { extend } from '../../src/payloads/texts.ts';
import { currentUser } from '../../src/payloads/user-payload.ts';
import {
  bobInGuild,
  byWebhook,
  current,
  editors,
  everyone,
  general,
  guild,
  hello,
  logEvent,
  lunch,
  users,
} from './samples.ts';

/** The edge's answer for this message, after a round trip over the wire. */
function answer<T extends object>(name: string, codec: Codec<T>, message: T): string {
  return jsonWriter<T>(name)(codec.decode(codec.encode(message).finish()));
}

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

const full = {
  ...hello,
  content: '"\\ \u2028 é 😀 \n',
  embeds: [
    {
      type: 'rich',
      description: 'd',
      url: null,
      color: 0xff,
      author: { name: 'n', url: 'https://a.example/', icon_url: null },
      footer: { text: 't', icon_url: null },
      image: { url: 'https://b.example/', proxy_url: null },
      fields: [{ name: 'a', value: 'b', inline: true }],
    },
  ],
};

describe('payloads are identical to the edge’s answers, character by character', () => {
  it.each([hello, byWebhook, full, { ...hello, author_id: '1003' }])('for a message', (row) => {
    const event = logEvent('MESSAGE_UPDATE', row, { channel_id: '21' });
    const received = eventPayload(event, users)?.d;
    expect(received).toBe(answer('gatehouse.chat.v1.Message', Message, viewMessage(row, users)));
  });

  it.each([general, { ...general, topic: 't', parent_id: '20', rate_limit_per_user: 5 }])(
    'for a guild’s channel',
    (row) => {
      const received = eventPayload(logEvent('CHANNEL_UPDATE', row, { guild_id: '11' }), users)?.d;
      expect(received).toBe(answer('gatehouse.chat.v1.Channel', Channel, viewChannel(row, '1001')));
    },
  );

  it.each([lunch, { ...lunch, type: 1, name: null, owner_id: null, recipient_ids: ['1001', '1003'] }])(
    'for a private channel',
    (row) => {
      const received = privateChannel(row, '1001', users);
      expect(received).toBe(answer('gatehouse.chat.v1.Channel', Channel, viewChannel(row, '1001', users)));
    },
  );

  it.each([
    bobInGuild,
    { ...bobInGuild, account_id: '1003', bio: 'hidden' },
    { ...bobInGuild, accent_color: 0 },
  ])('for a member', (row) => {
    const event = logEvent('GUILD_MEMBER_UPDATE', { guild_id: '11', member: row });
    const shown = answer('gatehouse.chat.v1.Member', Member, viewMember(row, users));
    expect(eventPayload(event, users)?.d).toBe(extend(shown, { guild_id: '"11"' }));
  });

  it('for a guild, a role and the current user', () => {
    const roles = [everyone, editors];
    const received = eventPayload(logEvent('GUILD_UPDATE', guild), users, roles)?.d;
    expect(received).toBe(answer('gatehouse.chat.v1.Guild', Guild, { ...guild, roles }));
    const role = eventPayload(logEvent('GUILD_ROLE_UPDATE', { guild_id: '11', role: editors }), users)?.d;
    expect(role).toBe(`{"guild_id":"11","role":${answer('gatehouse.chat.v1.Role', Role, editors)}}`);
    expect(currentUser(current)).toBe(answer('gatehouse.auth.v1.CurrentUser', CurrentUser, current));
  });
});

import { describe, expect, test } from 'vitest';
import { eventJson, eventLine } from '../../src/commands/tail/event-line.ts';
import { KnownNames } from '../../src/commands/tail/known-names.ts';

const AT = new Date('2026-03-01T08:00:00.123Z');
const READY = {
  user: { username: 'ada', global_name: 'Ada' },
  session_id: 'abc',
  guilds: [
    {
      id: '1',
      name: 'Mission Control',
      channels: [{ id: '2', guild_id: '1', type: 0, name: 'general' }],
      roles: [{ id: '3', name: 'Crew' }],
    },
  ],
  private_channels: [{ id: '4', type: 1, recipients: [{ username: 'ben', global_name: 'Ben' }] }],
};

/** Lines of events after READY, without their time. */
function lines(...events: readonly (readonly [t: string, d: unknown])[]): string[] {
  const names = new KnownNames();
  return [['READY', READY] as const, ...events]
    .map(([t, d], n) => {
      const event = { s: n + 1, t, d };
      names.learn(event);
      const line = eventLine(event, names, AT);
      return line.replace(/^08:00:00 /, '');
    })
    .slice(1);
}

const ben = { username: 'ben', global_name: null };
const message = { id: '9', channel_id: '2', guild_id: '1', author: ben, content: 'hi', embeds: [] };

describe('a line', () => {
  test('has the time in UTC, the name and the details', () => {
    const names = new KnownNames();
    const event = { s: 1, t: 'READY', d: READY };
    expect(eventLine(event, names, AT)).toBe('08:00:00 READY          Ada');
  });

  test.each([
    ['a message', 'MESSAGE_CREATE', message, 'Mission Control #general ben: hi'],
    ['one in a DM', 'MESSAGE_CREATE', { ...message, channel_id: '4', guild_id: undefined }, '@Ben ben: hi'],
    ['one without text', 'MESSAGE_CREATE', { ...message, content: '' }, 'Mission Control #general ben'],
    [
      'one of a webhook',
      'MESSAGE_UPDATE',
      {
        ...message,
        author: { username: 'Deploys', global_name: null, bot: true },
        content: 'See [the *log*](https://a.test/1)',
        embeds: [
          { title: 'Release 2', description: 'Faster,\nlighter.', fields: [{}, {}] },
          { title: 'More' },
        ],
        attachments: [{}],
      },
      'Mission Control #general Deploys BOT: See the *log* <https://a.test/1> ' +
        '┃ Release 2: Faster, lighter. ┃ More [1 attachment]',
    ],
    ['an embed without words', 'MESSAGE_CREATE', { ...message, content: '', embeds: [{}] }, /ben: ┃ embed$/],
    ['a deletion', 'MESSAGE_DELETE', { id: '9', channel_id: '2', guild_id: '1' }, /#general message 9$/],
    [
      'an unknown place',
      'MESSAGE_DELETE',
      { id: '9', channel_id: '8', guild_id: '7' },
      /guild 7 #8 message 9$/,
    ],
    ['a guild', 'GUILD_CREATE', { id: '5', name: 'New', channels: [{}], members: [] }, /^GUILD_CREATE +New$/],
    ['a deleted guild', 'GUILD_DELETE', { id: '1' }, /^GUILD_DELETE +Mission Control$/],
    ['a role', 'GUILD_ROLE_CREATE', { guild_id: '1', role: { id: '6', name: 'Pilot' } }, /Control @Pilot$/],
    ['a deleted role', 'GUILD_ROLE_DELETE', { guild_id: '1', role_id: '3' }, /Control role 3$/],
    ['a member', 'GUILD_MEMBER_UPDATE', { guild_id: '1', user: ben, roles: ['3'] }, /Control ben$/],
    ['a nick', 'GUILD_MEMBER_ADD', { guild_id: '1', user: ben, nick: 'B.' }, /Control B\.$/],
    ['a former member', 'GUILD_MEMBER_REMOVE', { guild_id: '1', user: ben }, /Control ben$/],
    ['a channel', 'CHANNEL_CREATE', { id: '6', guild_id: '1', name: 'ops' }, /Mission Control #ops$/],
    ['a deleted channel', 'CHANNEL_DELETE', { id: '2', guild_id: '1' }, /Mission Control #general$/],
    ['a recipient', 'CHANNEL_RECIPIENT_ADD', { channel_id: '4', user: ben }, /@Ben ben$/],
    ['webhooks', 'WEBHOOKS_UPDATE', { guild_id: '1', channel_id: '2' }, /Mission Control #general$/],
    ['an invite', 'INVITE_CREATE', { code: 'abc', guild_id: '1', channel_id: '2' }, /#general abc$/],
    ['the own user', 'USER_UPDATE', { username: 'ada', global_name: 'Ada L.' }, /^USER_UPDATE +Ada L\.$/],
    ['an event that is not known', 'TYPING_START', { a: 1 }, 'TYPING_START   {"a":1}'],
  ])('shows %s', (_, t, d, expected) => {
    const [line = ''] = lines([t, d]);
    if (typeof expected === 'string') expect(line.endsWith(expected), line).toBe(true);
    else expect(line).toMatch(expected);
  });

  test('has the newest names', () => {
    const [, line] = lines(
      ['CHANNEL_UPDATE', { id: '2', guild_id: '1', name: 'main' }],
      ['MESSAGE_DELETE', { id: '9', channel_id: '2', guild_id: '1' }],
    );
    expect(line).toContain('#main');
  });
});

const EVIL = 'a\u001b]0;owned\u0007\u001b[2J\r\nb\u009b31m\u202egpj\u2028c';

test('text of other users cannot send terminal control sequences or break the line', () => {
  const user = { username: EVIL, global_name: EVIL };
  const embed = { title: EVIL, description: EVIL, author: { name: EVIL } };
  const hostile = [
    ['MESSAGE_CREATE', { ...message, author: user, content: EVIL, embeds: [embed] }],
    ['GUILD_CREATE', { id: '1', name: EVIL }],
    ['CHANNEL_CREATE', { id: '2', guild_id: '1', name: EVIL }],
    ['GUILD_ROLE_CREATE', { guild_id: EVIL, role: { name: EVIL } }],
    ['GUILD_MEMBER_ADD', { guild_id: '1', user, nick: EVIL, roles: [EVIL, {}, null] }],
    ['MESSAGE_DELETE', { id: EVIL, channel_id: EVIL, guild_id: EVIL }],
    ['INVITE_CREATE', { code: EVIL }],
    [EVIL, { a: EVIL }],
  ] as const;
  for (const line of lines(...hostile)) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  for (const [t, d] of hostile) {
    const json = eventJson({ s: 1, t, d }, AT);
    expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(json)).toEqual({ at: AT.toISOString(), s: 1, t, d });
  }
});

test('an unexpected payload is a line, too', () => {
  const shapes = [null, 1, 'text', [], {}, { author: 1, embeds: {}, user: [], roles: 1 }];
  const names = [
    'READY',
    'MESSAGE_CREATE',
    'GUILD_CREATE',
    'GUILD_MEMBER_UPDATE',
    'CHANNEL_CREATE',
    'toString',
  ];
  const events = names.flatMap((t) => shapes.map((d) => [t, d] as const));
  expect(lines(...events)).toHaveLength(events.length);
});

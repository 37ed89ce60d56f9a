import { Permission } from '@gatehouse/chat-client/permissions';
import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { AllowedMentions } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mentionsEveryone } from '../../src/messages/mentions-everyone.ts';
import { type AddedGuild, addAccount, addGuild, addMember, addRole, newId } from '../support/guilds.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
let home: AddedGuild;
let ann: string;
let ben: string;
let role: string;
let quietRole: string;
beforeAll(async () => {
  fixture = await startChat('chat_mentions');
  home = await addGuild(fixture);
  ann = addAccount(fixture, 'ann');
  ben = addAccount(fixture, 'ben');
  role = await addRole(fixture, home.guild_id, 0n, { mentionable: true });
  quietRole = await addRole(fixture, home.guild_id, 0n);
});
afterAll(() => fixture.close());

const allow = (allowed: Partial<AllowedMentions>): AllowedMentions => ({
  parse: [],
  users: [],
  roles: [],
  ...allowed,
});
const text = () => `<@${ann}> <@!${ben}> <@${ann}> <@&${role}> <@&${quietRole}> @everyone`;

async function postAsWebhook(content: string, allowed_mentions?: AllowedMentions) {
  const request = webhookMessageOf(home.general, { content, allowed_mentions });
  return summary((await fixture.chat.createWebhookMessage(request, internally)).message);
}

async function postAs(account: string, content: string, allowed_mentions?: AllowedMentions) {
  const request = messageOf(home.general, { content, allowed_mentions });
  const { message } = await fixture.chat.createMessage(request, as(account));
  const { id: message_id = '', channel_id = '' } = message ?? {};
  const read = await fixture.chat.getMessage({ channel_id, message_id }, as(account));
  expect(read.message).toEqual(message);
  return summary(message);
}

function summary(message: Awaited<ReturnType<ChatFixture['chat']['createMessage']>>['message'] | undefined) {
  return [message?.mentions.map(({ id }) => id), message?.mention_roles, message?.mention_everyone];
}

describe('a webhook’s mentions', () => {
  test('notify no account by default', async () => {
    expect(await postAsWebhook(text())).toEqual([[], [], false]);
    expect(await postAsWebhook(text(), allow({}))).toEqual([[], [], false]);
  });

  test('of users are kept when parse contains users, each once, in order', async () => {
    expect(await postAsWebhook(text(), allow({ parse: ['users'] }))).toEqual([[ann, ben], [], false]);
  });

  test('of everyone are kept when parse contains everyone', async () => {
    expect(await postAsWebhook(text(), allow({ parse: ['everyone'] }))).toEqual([[], [], true]);
    expect(await postAsWebhook('@here', allow({ parse: ['everyone'] }))).toEqual([[], [], true]);
    expect(await postAsWebhook('me@everyone.org', allow({ parse: ['everyone'] }))).toEqual([[], [], false]);
    expect(await postAsWebhook('nobody', allow({ parse: ['everyone'] }))).toEqual([[], [], false]);
  });

  test('of users are kept when a list has them', async () => {
    expect(await postAsWebhook(text(), allow({ users: [ben, newId()] }))).toEqual([[ben], [], false]);
  });

  test('of roles are not resolved', async () => {
    expect(await postAsWebhook(text(), allow({ parse: ['roles'] }))).toEqual([[], [], false]);
    expect(await postAsWebhook(text(), allow({ roles: [role] }))).toEqual([[], [], false]);
    const mixed = { ...allow({ users: [ann], roles: [role] }), replied_user: true };
    expect(await postAsWebhook(text(), mixed)).toEqual([[ann], [], false]);
  });

  test('are read in the content only', async () => {
    const embeds = [embedOf({ title: `<@${ann}>`, description: `<@${ann}> @everyone @here` })];
    const allowed_mentions = allow({ parse: ['users', 'everyone'] });
    const request = webhookMessageOf(home.general, { embeds, allowed_mentions });
    expect(summary((await fixture.chat.createWebhookMessage(request, internally)).message)).toEqual([
      [],
      [],
      false,
    ]);
  });

  test('of no account, and texts that only look like mentions, are ignored', async () => {
    const near = `<@${newId()}> <@0> <@007> <@99999999999999999999> <@${ann} <@ ${ann}> <@x> \\@`;
    expect(await postAsWebhook(near, allow({ parse: ['users'] }))).toEqual([[], [], false]);
  });
});

describe('an account’s mentions', () => {
  test('are all parsed by default; @everyone requires MENTION_EVERYONE', async () => {
    const member = await addMember(fixture, home.guild_id);
    expect(await postAs(member, text())).toEqual([[ann, ben], [role], false]);
    await addRole(fixture, home.guild_id, Permission.MENTION_EVERYONE, { holder: member });
    expect(await postAs(member, text())).toEqual([[ann, ben], [role, quietRole], true]);
    expect(await postAs(home.owner, `${text()} <@&${home.guild_id}>`)).toEqual([
      [ann, ben],
      [role, quietRole],
      true,
    ]);
  });

  test.each<[string, () => AllowedMentions, () => unknown]>([
    ['nothing', () => allow({}), () => [[], [], false]],
    ['users', () => allow({ parse: ['users'] }), () => [[ann, ben], [], false]],
    ['roles', () => allow({ parse: ['roles'] }), () => [[], [role, quietRole], false]],
    ['everyone', () => allow({ parse: ['everyone'] }), () => [[], [], true]],
    ['one user', () => allow({ users: [ann] }), () => [[ann], [], false]],
    ['one role', () => allow({ roles: [role] }), () => [[], [role], false]],
    [
      'a user and a role',
      () => allow({ users: [ben], roles: [quietRole] }),
      () => [[ben], [quietRole], false],
    ],
  ])('are only those of %s when that is allowed', async (_, allowed, kept) => {
    expect(await postAs(home.owner, text(), allowed())).toEqual(kept());
  });
});

describe('allowed_mentions', () => {
  const CONFLICT = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';
  const both = (allowed_mentions: AllowedMentions, content = 'x') => [
    fixture.chat.createWebhookMessage(
      webhookMessageOf(home.general, { content, allowed_mentions }),
      internally,
    ),
    fixture.chat.createMessage(messageOf(home.general, { content, allowed_mentions }), as(home.owner)),
  ];

  test('may not have both parse and a list', async () => {
    for (const lists of [{ users: ['1'] }, { roles: ['1'] }, { users: ['1'], roles: ['2'] }]) {
      for (const call of both(allow({ parse: ['everyone'], ...lists }))) {
        const fault = await faultOf(call);
        expect(fault.reason).toBe(CONFLICT);
        expect(fault.violations.map(({ path, code }) => [path, code])).toEqual([
          ['allowed_mentions', CONFLICT],
        ]);
      }
    }
  });

  test('keeps its own code among other violations', async () => {
    for (const call of both(allow({ parse: ['users'], users: ['1'] }), 'x'.repeat(4001))) {
      const fault = await faultOf(call);
      expect(fault.reason).toBe(CONFLICT);
      expect(fault.violations.map(({ code }) => code)).toEqual(['CONTENT_EXCEEDS_MAX_LENGTH', CONFLICT]);
    }
  });

  test('may have an empty parse and lists, or parse and empty lists', async () => {
    for (const allowed of [allow({ users: ['1'], roles: ['2'] }), allow({ parse: ['users'] })]) {
      for (const call of both(allowed)) expect((await call).message?.content).toBe('x');
    }
  });

  test('has lists of at most 100 items, and three words for parse', async () => {
    const ids = (count: number) => Array.from({ length: count }, newId);
    for (const call of both(allow({ users: ids(100), roles: ids(100) }))) await call;
    for (const call of both(allow({ users: ids(101), roles: ids(101) }))) {
      expect(await violationsOf(call)).toEqual([
        'allowed_mentions.users INVALID_FORMAT',
        'allowed_mentions.roles INVALID_FORMAT',
      ]);
    }
    for (const call of both(allow({ parse: ['Users'] }))) {
      expect(await violationsOf(call)).toEqual(['allowed_mentions.parse.0 INVALID_FORMAT']);
    }
    for (const call of both(allow({ parse: Array(101).fill('users') }))) {
      expect(await violationsOf(call)).toEqual(['allowed_mentions.parse INVALID_FORMAT']);
    }
  });
});

test('a message with mentions is not posted while the mentioned users cannot be read', async () => {
  const alone = await startChat('chat_mentions_down');
  try {
    const { general } = await addGuild(alone);
    await alone.stopAuth();
    const post = (content: string, parse: string[]) =>
      alone.chat.createWebhookMessage(
        webhookMessageOf(general, { content, allowed_mentions: allow({ parse }) }),
        internally,
      );
    expect(await reasonOf(post('<@5>', ['users']))).toBe('SERVICE_UNAVAILABLE');
    expect((await alone.sql.query('SELECT 1 FROM messages')).rowCount).toBe(0);
    expect((await post('<@5> without notifying', [])).message?.content).toBe('<@5> without notifying');
  } finally {
    await alone.close();
  }
});

describe('@everyone and @here', () => {
  test.each([
    '@everyone',
    '@here',
    'Hi @everyone, look',
    '(@here)',
    '**@everyone**',
    '_@everyone_',
    '__@here__',
    'Ready? @everyone!',
    '@everyone.',
    '@everyone: read this',
    '@everyone:read this',
    '@everyone’s turn',
    'Done.@everyone',
    '@everyone/@here',
    '@everyone / @here',
    '@here/',
    '\u2764\ufe0f@everyone\u2764\ufe0f',
    '1\ufe0f\u20e3@here',
    '大家好@everyone请看',
    '@everyoneさん、見て',
    'カレー@hereカレー',
    'สวัสดี@everyoneทุกคน',
    '@everyone.大家好',
    'https://example.com/a @everyone',
    '(https://example.com/a)@everyone',
    '看https://example.com/a，@everyone',
    '<https://example.com/a>@here',
    'npm i @here/x, @everyone',
    'josé@everyone.example says: @here',
    '[@everyone]',
    'hey:@everyone',
    'news: @here',
    '@everyone, look',
    '@everyone - look',
    '@everyone-look',
    '-@here',
    'wait--@everyone',
    '@everyone:10:30',
    '(see https://example.com/z_(a))@everyone',
    '[a](https://example.com/[b])@everyone',
    '[::]@here',
  ])('are separate words in %j', (text) => {
    expect(mentionsEveryone(text)).toBe(true);
  });

  test.each([
    'me@everyone.org',
    'josé@everyone.example',
    'jose\u0301@everyone',
    'иван@here',
    'γεια@here',
    '철수@everyone',
    '@everyone님',
    '@everyoneé',
    '@here2',
    '٣@here',
    'a_@here',
    '@here_a',
    '"a b"@everyone.example',
    'a!@everyone.example',
    'a+@here-mail.example',
    '用户@everyone.example',
    '@everyone.example',
    '@here-mail.example',
    'npm i @here/x',
    'import a from "@everyone/pkg"',
    '@here\\x',
    '@here@example.org',
    '@bob@here',
    '@here:example.org',
    'https://example.com/@here',
    'https://example.com/@here/about',
    'https://example.com/a,@everyone',
    'https://example.com/?q=@everyone',
    'https://example.com/#@here',
    'https://example.com/(a)/b;@here',
    'https://example.com/用户;@here',
    'HTTPS://EXAMPLE.COM/?q=@everyone',
    'ftp://:@here/',
    'ssh://@here:22',
    'example.com/?u=@here',
    'münchen.example:8080/a;@here',
    'mailto:?to=@everyone',
    '/home/@here',
    'C:\\@here',
    'http://[2001:db8::1]:3000/d?var=@here',
    'http://[::1]/?to=@everyone',
    '[::1]:3000/?q=@here',
    'https://example.com/?f=(@here)',
    'https://example.com/z_(@here)',
    'https://example.com/z_(a)@everyone',
    'https://example.com/?a[]=@here',
    'https://example.com/[@here]',
    'https://example.com/{@here}',
    'localhost:3000/?q=@here',
    'localhost?q=@here',
    'server:8080/?q=@here',
    'magnet:?xt=@here',
    'news:@here',
    'did:web:@here',
    'npm i @everyone-team/pkg',
    'npm i @here-maps/harp',
    '@everyone:localhost',
    '@here:server:8448',
    '@here:8080/x',
    '@here:[::1]:8448',
    'first.last+@here',
    'a-@here',
    '@Everyone',
    '@every one',
  ])('are none in %j', (text) => {
    expect(mentionsEveryone(text)).toBe(false);
  });

  test.each([
    ...[
      'a.',
      'a',
      'a+',
      '@here/x ',
      'a://',
      '-',
      'a-.',
      '(',
      '@here-',
      '@here:a',
      '[',
      '()',
      '[::',
      'a://[',
      'a://(,',
    ],
    ...[
      'a://a) ',
      '_',
      '_@here_a',
      '@here:[1',
      '@here:a:',
      '@here-a',
      'a:1',
      'a:123',
      'did:',
      'localhost:',
      'a:@here,',
    ],
  ])('are found in linear time among many %j', (part) => {
    const text = `${part.repeat(40_000 / part.length)} @everyone`;
    const startedAt = performance.now();
    expect(mentionsEveryone(text)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

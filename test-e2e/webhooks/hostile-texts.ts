import { describe, expect, it } from 'vitest';
import { ok } from '../chat/guild-fixture.ts';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Message } from '../support/objects.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Texts that are stored as they are. */
const KEPT = [
  '\u202egpj.exe',
  '\u200b\u2066x\u2069',
  'a\r\nSet-Cookie: x=1',
  '<script>alert(1)</script>',
  "'; DROP TABLE messages; --",
  '#{7*7} {{7*7}} %s %n',
  '\u0001\u001b[31m\u007f',
  '👩‍👩‍👧‍👦 ﷽ Z̷̢͎a̸l̵g̶o̷',
  '__proto__',
];

const PROTOTYPE = `"__proto__":{"content":"evil","embeds":[{"title":"evil"}]},"constructor":{"prototype":{"x":1}},"toString":1,"hasOwnProperty":null`;

export function hostileTexts(suite: TestSuite): void {
  describe('a hostile text', () => {
    it('is stored as it is, by each route that takes one', async () => {
      const { say, path, messages } = await openHook(suite);
      for (const text of KEPT) {
        const said = await say({ content: text, username: text, embeds: [{ title: text }] });
        expect([said.content, said.author.username, said.embeds[0]?.title]).toEqual([text, text, text]);
        expect((await suite.api.post(`${path}/chatcompat`, { text })).text).toBe('ok');
        await suite.api.post(`${path}/statuspage`, { incident: { name: text } });
        const [status, chat] = await messages();
        expect([chat?.content, status?.embeds[0]?.title]).toEqual([text, text]);
      }
    });

    it('with a NUL is refused where it is told, and never a failure', async () => {
      const { execute, path, say } = await openHook(suite);
      const { id } = await say({ content: 'x' });
      for (const body of [
        { content: 'a\0b' },
        { content: 'x', username: 'a\0b' },
        { embeds: [{ title: 'a\0b' }] },
        { embeds: [{ fields: [{ name: 'a\0b', value: 'x' }] }] },
        { embeds: [{ title: 'x', url: 'https://a.example/\0' }] },
      ])
        expect((await execute(body)).status, JSON.stringify(body)).toBe(400);
      const edit = await suite.api.send('PATCH', `${path}/messages/${id}`, { body: { content: '\0' } });
      expect(edit.status).toBe(400);
      const name = await suite.api.send('PATCH', path, { body: { name: 'a\0b' } });
      expect(name.status).toBe(400);
      const answered = await Promise.all([
        suite.api.post(`${path}/chatcompat`, { text: 'a\0b', attachments: [{ text: '\0', title: 'x\0' }] }),
        suite.api.post(`${path}/statuspage`, { incident: { name: 'a\0b', status: '\0' } }),
        suite.api.post(
          `${path}/codehost`,
          { repository: { full_name: 'a\0b', name: '\0' }, sender: { login: '\0' } },
          { 'x-codehost-event': 'public', 'x-codehost-delivery': 'd' },
        ),
      ]);
      expect(answered.map(({ status }) => status < 500)).toEqual([true, true, true]);
    });

    it('with half a surrogate pair has U+FFFD there', async () => {
      const { path, messages } = await openHook(suite);
      const half = '"a\\ud800b"';
      const sent: [string, string][] = [
        ['?wait=true', `{"content":${half},"username":${half},"embeds":[{"title":${half}}]}`],
        ['/chatcompat', `{"text":${half},"attachments":[{"title":${half}}]}`],
        ['/statuspage', `{"incident":{"name":${half}}}`],
        ['/codehost', `{"repository":{"full_name":${half},"name":${half}}}`],
      ];
      for (const [suffix, body] of sent) {
        const headers = { ...JSON_TYPE, 'x-codehost-event': 'public' };
        const reply = await suite.api.post(`${path}${suffix}`, body, headers);
        expect(reply.status, suffix).toBeLessThan(300);
      }
      for (const { content, embeds } of await messages())
        expect(`${content}${embeds[0]?.title ?? ''}`).toContain('a\ufffdb');
    });
  });

  describe('a hostile body', () => {
    it('changes nothing by members that are named like a prototype’s', async () => {
      const { path, messages } = await openHook(suite);
      const send = (suffix: string, body: string, event = '__proto__'): Promise<Reply> =>
        suite.api.post(`${path}${suffix}`, body, { ...JSON_TYPE, 'x-codehost-event': event });
      expectError(await send('', `{${PROTOTYPE}}`), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      const said = await ok<Message>(send('?wait=true', `{"content":"x",${PROTOTYPE}}`));
      expect(said).toMatchObject({ content: 'x', embeds: [] });
      expectError(await send('/chatcompat', `{${PROTOTYPE}}`), 400, 'BAD_REQUEST');
      for (const event of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])
        expect((await send('/codehost', `{"repository":{"full_name":"a"},${PROTOTYPE}}`, event)).status).toBe(
          204,
        );
      for (const status of ['__proto__', 'constructor', 'toString', 'TOSTRING'])
        await send('/statuspage', JSON.stringify({ incident: { name: 'n', status } }));
      expect((await messages()).map(({ embeds }) => embeds[0]?.fields?.[0]?.value)).toEqual([
        'TOSTRING',
        'toString',
        'constructor',
        '__proto__',
        undefined,
      ]);
    });

    it('with huge numbers is refused or ignored, and never fails', async () => {
      const { path, execute } = await openHook(suite);
      const numbers = ['1e400', '-1e400', '1e-400', '9007199254740993', '1e22', '-0', '0.1e1'];
      for (const number of numbers) {
        for (const body of [
          `{"content":"x","flags":${number}}`,
          `{"embeds":[{"title":"x","color":${number}}]}`,
          `{"content":${number}}`,
        ])
          expect([204, 400], body).toContain((await execute(body)).status);
        const attachments = `[{"title":"x","ts":${number},"fields":[{"title":${number},"value":${number}}]}]`;
        const chat = await suite.api.post(`${path}/chatcompat`, `{"attachments":${attachments}}`, JSON_TYPE);
        expect(chat.text, attachments).toBe('ok');
        const maintenance = `{"name":"x","start":${number},"duration":${number},"created_at":${number}}`;
        const page = await suite.api.post(`${path}/statuspage`, `{"maintenance":${maintenance}}`, JSON_TYPE);
        expect(page.status).toBe(204);
      }
    });

    it('brings no link that is not of the web', async () => {
      const { path, execute, messages } = await openHook(suite);
      const links = [
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        ' javascript:x',
        'data:text/html,x',
        'file:///x',
        '//a.example',
        'vbscript:x',
      ];
      for (const url of links) {
        for (const part of [
          { url },
          { author: { name: 'x', url } },
          { image: { url } },
          { thumbnail: { url } },
        ])
          expectError(await execute({ embeds: [{ title: 'x', ...part }] }), 400, 'INVALID_FORM_BODY');
        const attachment = {
          title: 'x',
          title_link: url,
          author_name: 'x',
          author_link: url,
          author_icon: url,
        };
        await suite.api.post(`${path}/chatcompat`, {
          attachments: [{ ...attachment, image_url: url, thumb_url: url }],
        });
        await suite.api.post(`${path}/statuspage`, { incident: { name: 'x', url }, page: { url } });
        const account = { login: 'x', html_url: url, avatar_url: url };
        const repository = { full_name: 'a/b', name: 'b', html_url: url };
        const star = { action: 'started', repository, sender: account };
        await suite.api.post(`${path}/codehost`, star, { 'x-codehost-event': 'watch' });
        const posted = (await messages()).slice(0, 3);
        expect(posted.map(({ embeds }) => embeds.length)).toEqual([1, 1, 1]);
        expect(JSON.stringify(posted.map(({ embeds }) => embeds))).not.toMatch(
          /script:|data:text|file:|\/\/a\.ex/i,
        );
      }
    });
  });
}

import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Embed } from '../support/objects.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const LONG = 'é'.repeat(10_000);
const LONG_LINK = `https://a.example/${'x'.repeat(2048)}`;

/** How many characters an embed's texts have in all. */
function lengthOf({ title = '', description = '', author, footer, fields = [] }: Embed): number {
  const texts = [title, description, author?.name ?? '', footer?.text ?? ''];
  return [...texts, ...fields.flatMap(({ name, value }) => [name, value])].join('').length;
}

export function longParts(suite: TestSuite): void {
  describe('all texts of a message’s embeds together', () => {
    it('are at most 6,000 characters, wherever they stand', async () => {
      const { say, execute, path } = await openHook(suite);
      const embed = {
        title: 't'.repeat(256),
        description: 'd'.repeat(1000),
        author: { name: 'a'.repeat(256) },
        footer: { text: 'f'.repeat(2000) },
        fields: [
          { name: 'n'.repeat(256), value: 'v'.repeat(1024) },
          { name: 'n'.repeat(8), value: 'v'.repeat(200) },
        ],
      };
      const last = (length: number) => ({ embeds: [embed, { description: 'x'.repeat(length) }] });
      const { id, embeds } = await say(last(1000));
      expect(embeds.map(lengthOf)).toEqual([5000, 1000]);
      const entries = { embeds: 'EMBEDS_EXCEED_MAX_CHARACTERS' };
      expectError(await execute(last(1001)), 400, 'INVALID_FORM_BODY', entries);
      const edit = (length: number) =>
        suite.api.send('PATCH', `${path}/messages/${id}`, { body: last(length) });
      expectError(await edit(1001), 400, 'INVALID_FORM_BODY', entries);
      expect((await edit(1000)).status).toBe(200);
    });

    it('name each failure of each embed at its place, on execution and on edit', async () => {
      const { say, execute, path } = await openHook(suite);
      const { id } = await say({ content: 'x' });
      const body = {
        embeds: [
          { title: 'x'.repeat(257), url: 'ftp://a.example', color: 16777216 },
          { description: 'x', timestamp: 'x', author: { name: 'x'.repeat(257), url: 'javascript:x' } },
          { footer: { text: 'x'.repeat(2049) }, image: { url: 'x' }, thumbnail: { url: LONG_LINK } },
          {
            fields: [
              { name: 'x', value: 'x' },
              { name: '', value: 'x'.repeat(1025) },
            ],
          },
        ],
      };
      const entries = {
        'embeds.0.title': 'STRING_LENGTH_INVALID',
        'embeds.0.url': 'INVALID_URL_FORMAT',
        'embeds.0.color': 'COLOR_VALUE_TOO_HIGH',
        'embeds.1.timestamp': 'INVALID_ISO_TIMESTAMP',
        'embeds.1.author.name': 'STRING_LENGTH_INVALID',
        'embeds.1.author.url': 'INVALID_URL_FORMAT',
        'embeds.2.footer.text': 'STRING_LENGTH_INVALID',
        'embeds.2.image.url': 'INVALID_URL_FORMAT',
        'embeds.2.thumbnail.url': 'URL_LENGTH_INVALID',
        'embeds.3.fields.1.name': 'STRING_LENGTH_INVALID',
        'embeds.3.fields.1.value': 'STRING_LENGTH_INVALID',
      };
      for (const query of ['', '?wait=true'])
        expectError(await execute(body, query), 400, 'INVALID_FORM_BODY', entries);
      const edit = await suite.api.send('PATCH', `${path}/messages/${id}`, { body });
      expectError(edit, 400, 'INVALID_FORM_BODY', entries);
    });
  });

  describe('an alert of a provider', () => {
    /** Holds that a payload makes one embed within the limits, and gives it. */
    async function expectHeld(suffix: string, payload: object, event = ''): Promise<Embed> {
      const { path, messages } = await openHook(suite);
      const { status, text } = await suite.api.post(`${path}/${suffix}`, payload, {
        'x-codehost-event': event,
      });
      expect([200, 204], text).toContain(status);
      const [message] = await messages();
      const [embed, ...more] = message?.embeds ?? [];
      expect(more).toEqual([]);
      if (embed === undefined) throw new Error('the alert is lost');
      expect(lengthOf(embed)).toBeLessThanOrEqual(6000);
      expect(embed, 'a link cannot be cut').not.toHaveProperty('url');
      return embed;
    }

    it('of a chat tool is not lost to its length', async () => {
      const attachment = {
        title: LONG,
        title_link: LONG_LINK,
        pretext: LONG,
        text: LONG,
        author_name: LONG,
        author_link: LONG_LINK,
        author_icon: LONG_LINK,
        image_url: LONG_LINK,
        footer: LONG,
        fields: Array(15).fill({ title: LONG, value: LONG }),
      };
      const embed = await expectHeld('chatcompat', { attachments: [attachment] });
      expect(embed.title).toBe(`${LONG.slice(0, 253)}...`);
      expect(embed).not.toHaveProperty('image');
    });

    it('of a code host is not lost to its length', async () => {
      const sender = { login: LONG, html_url: LONG_LINK, avatar_url: LONG_LINK };
      const repository = { full_name: LONG, name: LONG, html_url: LONG_LINK };
      const commit = { id: LONG, url: LONG_LINK, message: LONG, author: { name: LONG } };
      const push = { ref: `refs/heads/${LONG}`, compare: LONG_LINK, commits: Array(50).fill(commit) };
      const pushed = await expectHeld('codehost', { repository, sender, ...push }, 'push');
      expect([pushed.title?.length, pushed.description?.length]).toEqual([256, 350]);
      expect(pushed.author?.name?.length ?? 0).toBeLessThanOrEqual(256);
      const issue = { number: 1, title: LONG, body: LONG, html_url: LONG_LINK };
      const opened = await expectHeld('codehost', { repository, sender, action: 'opened', issue }, 'issues');
      expect([opened.title?.length, opened.description?.length]).toEqual([70, 350]);
    });

    it('of a status page is not lost to its length', async () => {
      const maintenance = {
        name: LONG,
        url: LONG_LINK,
        status: LONG,
        maintenance_updates: [{ markdown: LONG }],
        affected_components: Array(40).fill({ name: LONG, status: LONG }),
        backfilled: true,
      };
      const embed = await expectHeld('statuspage', {
        page: { url: LONG_LINK, status_description: LONG },
        maintenance,
      });
      expect(embed.title).toHaveLength(256);
      const component = { name: LONG, status: LONG };
      expect((await expectHeld('statuspage', { component, page: { url: LONG_LINK } })).title).toHaveLength(
        256,
      );
    });
  });
}

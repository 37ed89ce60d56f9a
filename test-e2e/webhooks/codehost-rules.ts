import { describe, expect, it } from 'vitest';
import { unhurried } from '../support/api.ts';
import type { Embed } from '../support/objects.ts';
import { hookIn } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';
import { HOME, repository, SHA, sender } from './codehost-payloads.ts';

const cut = (text: string, length: number) => `${text.slice(0, length - 3)}...`;

export function codehostRules(suite: TestSuite): void {
  async function open() {
    const hook = await openHook(suite);
    const deliver = (event: string, payload: unknown, delivery?: string) =>
      suite.api.post(`${hook.path}/codehost`, payload, {
        'x-codehost-event': event,
        ...(delivery !== undefined && { 'x-codehost-delivery': delivery }),
      });
    const embed = async (event: string, payload: object): Promise<Embed> => {
      expect((await deliver(event, { repository, sender, ...payload })).status).toBe(204);
      const [first] = (await hook.messages())[0]?.embeds ?? [];
      if (first === undefined) throw new Error('no embed');
      return first;
    };
    const count = async () => (await hook.messages()).length;
    return { ...hook, deliver, embed, count };
  }

  const push = (...messages: string[]) => ({
    ref: 'refs/heads/main',
    compare: `${HOME}/compare`,
    commits: messages.map((message) => ({ id: SHA, url: `${HOME}/c`, message, author: { name: 'G' } })),
  });

  describe('the code host’s texts', () => {
    it('are cut to 70 in titles, 256 in those of pushes and checks, 350 in descriptions', async () => {
      const { embed } = await open();
      const issue = (title: string, body = '') => ({
        action: 'opened',
        issue: { number: 1, title, body, html_url: HOME, user: sender },
      });
      const head = '[acme/rocket] Issue opened: #1 ';
      const fits = 'x'.repeat(70 - head.length);
      expect((await embed('issues', issue(fits))).title).toBe(head + fits);
      expect((await embed('issues', issue(`${fits}  \n`))).title, 'trimmed, then cut').toBe(head + fits);
      expect((await embed('issues', issue(`${fits}y`))).title).toBe(cut(`${head}${fits}y`, 70));
      expect((await embed('issues', issue('x', 'b'.repeat(350)))).description).toBe('b'.repeat(350));
      expect((await embed('issues', issue('x', 'b'.repeat(351)))).description).toBe(
        cut('b'.repeat(351), 350),
      );
      expect((await embed('issues', issue('x', ''))).description ?? '').toBe('');
      expect((await embed('issues', issue('x &amp; &lt;y'))).title).toBe(`${head}x &amp; &lt;y`);
      const branch = 'b'.repeat(300);
      const pushed = await embed('push', { ...push('x'), ref: `refs/heads/${branch}` });
      expect(pushed.title).toBe(cut(`[rocket:${branch}] 1 new commit`, 256));
      const suiteOf = { conclusion: 'success', head_sha: SHA, head_branch: branch, app: { name: 'R' } };
      const checked = await embed('check_suite', { action: 'completed', check_suite: suiteOf });
      expect(checked.title).toBe(cut(`[rocket] R checks success on ${branch}`, 256));
      const run = { name: 'lint', conclusion: 'success', head_sha: SHA, check_suite: suiteOf };
      const ran = await embed('check_run', { action: 'completed', check_run: run });
      expect(ran.title).toBe(cut(`[rocket] lint success on ${branch}`, 256));
      const force = { ...push(), forced: true, head_commit: { id: SHA }, ref: `refs/heads/${branch}` };
      expect((await embed('push', force)).title).toBe(cut(`[rocket] Branch ${branch} was`, 70));
    });

    it('have one line a commit, cut to 350 in all, and a link for a reverted commit', async () => {
      const { embed } = await open();
      const line = (text: string) => `[\`abcdef0\`](${HOME}/c) ${text} - G`;
      expect((await embed('push', push('one', 'two', 'three'))).description).toBe(
        ['one', 'two', 'three'].map(line).join('\n'),
      );
      expect((await embed('push', push('a\r\nb\nc'))).description).toMatch(
        /^\[`abcdef0`\]\(\S+\) a {1,2}b c - G$/,
      );
      const many = Array(20).fill('commit');
      expect((await embed('push', push(...many))).description).toBe(cut(many.map(line).join('\n'), 350));
      const other = '0123456789abcdef0123456789abcdef01234567';
      const { description = '' } = await embed('push', push(`Revert "x"\n\nThis reverts commit ${other}.`));
      expect(description).toContain(`](${HOME}/commit/${other})`);
      expect(description).toContain('0123456');
      const short = await embed('push', push('This reverts commit 0123456.'));
      expect(short.description).toBe(line('This reverts commit 0123456.'));
    });

    it('have no author where there is no sender', async () => {
      const { embed } = await open();
      expect(await embed('push', { ...push('x'), sender: undefined })).not.toHaveProperty('author');
      expect(await embed('public', { sender: null })).not.toHaveProperty('author');
    });
  });

  describe('the code host’s deduplication', () => {
    it('is per webhook and identifier, after a delivery that rendered', async () => {
      const hook = await open();
      const { deliver, count } = hook;
      const star = { action: 'started', repository, sender };
      await deliver('ping', { repository }, 'one');
      await deliver('watch', { action: 'stopped', repository }, 'one');
      await deliver('watch', '{', 'one');
      expect(await count()).toBe(0);
      await deliver('watch', star, 'one');
      await deliver('watch', star, 'one');
      await deliver('public', { repository }, 'one');
      expect(await count(), 'whatever the event').toBe(1);
      await deliver('watch', star, 'ONE');
      await deliver('watch', star, 'x'.repeat(4000));
      await deliver('watch', star, 'x'.repeat(4000));
      expect(await count()).toBe(3);
      for (const none of ['', undefined, '']) await deliver('watch', star, none);
      expect(await count(), 'no identifier, no deduplication').toBe(6);
      const other = await hookIn(hook, unhurried(suite.api));
      await suite.api.post(`${other.path}/codehost`, star, {
        'x-codehost-event': 'watch',
        'x-codehost-delivery': 'one',
      });
      expect(await count()).toBe(7);
    });

    it('lets one of 32 equal deliveries through, and not each of 32 different ones', async () => {
      const { deliver, count } = await open();
      const star = { action: 'started', repository, sender };
      const race = (name: (n: number) => string) =>
        Promise.all(Array.from({ length: 32 }, (_, n) => deliver('watch', star, name(n))));
      expect((await race(() => 'same')).map(({ status }) => status)).toEqual(Array(32).fill(204));
      expect(await count()).toBe(1);
      await race((n) => `other ${n}`);
      expect(await count()).toBe(33);
    });

    it('leaves an identifier whose delivery was refused free', async () => {
      const { deliver, count, webhook } = await open();
      const star = { action: 'started', repository, sender };
      const wrong = await suite.api.post(`/webhooks/${webhook.id}/${'x'.repeat(64)}/codehost`, star, {
        'x-codehost-event': 'watch',
        'x-codehost-delivery': 'one',
      });
      expect(wrong.status).toBe(401);
      await deliver('watch', star, 'one');
      expect(await count()).toBe(1);
    });
  });

  describe('a code-host delivery', () => {
    it('is 204 and nothing for a body that is no delivery, whatever it is', async () => {
      const { deliver, count } = await open();
      for (const body of [
        '',
        '{',
        '[]',
        'null',
        '5',
        '"x"',
        '[{"repository":{}}]',
        '\0',
        'payload={',
        '{"repository":5}',
      ])
        for (const event of ['push', 'public']) expect((await deliver(event, body)).status, body).toBe(204);
      expect(await count()).toBe(0);
    });
  });
}

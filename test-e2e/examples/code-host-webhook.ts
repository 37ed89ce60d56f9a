import { describe, expect, it } from 'vitest';
import { newWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { startExample } from './example-program.ts';

const FOLDER = 'code-host-webhook';

export function codeHostWebhook(stack: TestStack): void {
  describe(`examples/${FOLDER}`, () => {
    const send = (WEBHOOK_URL: string, ...args: string[]) =>
      startExample(FOLDER, ['send.ts', ...args], { WEBHOOK_URL }).ended();

    it('shows a push once, though its delivery is repeated', async () => {
      const { webhook, messages } = await newWebhook(stack.api);
      const url = `${stack.url}/api/v1/webhooks/${webhook.id}/${webhook.token}`;
      const first = await send(url);
      expect(first).toEqual({
        code: 0,
        output: expect.stringMatching(/^Sent push as delivery [\w-]{36}\.\n$/),
      });
      const delivery = /delivery (.*)\.\n/.exec(first.output)?.[1] ?? '';
      expect(await send(url, '--delivery', delivery)).toEqual(first);
      const shown = await messages();
      expect(shown.flatMap(({ embeds }) => embeds.map(({ title }) => title))).toEqual([
        '[clock:main] 1 new commit',
      ]);
      expect(shown[0]?.author.username).toBe('Code host');
    });

    it('says what is missing', async () => {
      const missing = 'Set WEBHOOK_URL to the URL of a webhook, as the web app shows it.\n';
      expect(await startExample(FOLDER, ['send.ts'], {}).ended()).toEqual({ code: 1, output: missing });
      const away = await send('http://127.0.0.1:9/api/v1/webhooks/1/x');
      expect(away).toEqual({ code: 1, output: expect.stringMatching(/^Nothing answers at the URL: .*\n$/) });
      const unknown = await send(`${stack.url}/api/v1/webhooks/1/x`);
      expect(unknown).toEqual({ code: 1, output: expect.stringContaining('The webhook answers 404') });
    });
  });
}

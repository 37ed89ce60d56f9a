import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const FOLDER = new URL('../../../services/webhook-delivery/test/golden/chatcompat/', import.meta.url);

interface Golden {
  readonly message?: { content?: string; username?: string; embeds: { fields: unknown[] }[] };
}

const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

/** Payloads from monitoring and code hosts for a chat tool: Grafana in JSON, GitLab in a form. */
export function chatToolPayloads(stack: TestStack): void {
  describe('payloads documented by Grafana and GitLab', () => {
    it('appear in the channel as rendered, sent as JSON or as a form', async () => {
      const hook = await newWebhook(stack.api);
      const names = readdirSync(FOLDER).flatMap(
        (file) => /^((?:grafana|gitlab).*)\.payload\.json$/.exec(file)?.[1] ?? [],
      );
      expect(names.length).toBeGreaterThan(5);
      for (const name of names) {
        const payload = read(`${name}.payload.json`);
        const { message }: Golden = JSON.parse(read(`${name}.rendering.json`));
        for (const body of [payload, new URLSearchParams({ payload }).toString()]) {
          const type = body === payload ? 'application/json' : 'application/x-www-form-urlencoded';
          const reply = await stack.api.post(`${hook.path}/chatcompat`, body, { 'content-type': type });
          if (message === undefined) {
            expectError(reply, 400, 'BAD_REQUEST');
            continue;
          }
          expect([reply.status, reply.text], name).toEqual([200, 'ok']);
          const [posted] = await hook.messages();
          expect(posted, name).toMatchObject({
            content: message.content ?? '',
            author: { username: message.username },
            embeds: message.embeds.map(({ fields, ...rest }) =>
              fields.length > 0 ? { ...rest, fields } : rest,
            ),
          });
        }
      }
    });
  });
}

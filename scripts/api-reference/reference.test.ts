import { readFileSync } from 'node:fs';
import { describeRow } from '@gatehouse/cli/commands/routes/describe-row';
import { ROUTES } from '@gatehouse/gateway/routes';
import { useEdge } from '@gatehouse/gateway/testing/edge';
import { BOT, SESSION } from '@gatehouse/gateway/testing/peers';
import { invalidForm } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { readContractComments } from './contract-comments.ts';
import { derivedBody } from './derived-body.ts';
import { statusOf } from './error-tables.ts';
import { exampleRequest } from './example-request.ts';
import { EXAMPLES } from './examples.ts';
import { apiReference } from './reference.ts';
import { errorsOf } from './rpc-errors.ts';

const API = readFileSync(new URL('../../gateway/API.md', import.meta.url), 'utf8');

describe('API.md', () => {
  it('is what `npm run generate` writes', () => {
    expect(API === apiReference(ROUTES), 'run `npm run generate`').toBe(true);
  });

  it('has a section for every route, and no other', () => {
    const sections = [...API.matchAll(/^### ([A-Z]+ \/.*)$/gm)].map(([, title]) => title);
    expect(sections.sort()).toEqual(ROUTES.map(({ verb, path }) => `${verb} ${path}`).sort());
  });

  it('has no broken link', () => {
    const anchors = [...API.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor] of API.matchAll(/\]\(#([^)]*)\)/g)) expect(anchors).toContain(anchor);
    expect(new Set(anchors).size, 'each heading once').toBe(anchors.length);
  });

  it('names errors that the edge knows, and every status of its table', () => {
    for (const [, status, code] of API.matchAll(/(\d{3}) `([A-Z_]+)`/g))
      expect([code, statusOf(code ?? '')]).toEqual([code, Number(status)]);
    for (const [, status, code] of API.matchAll(/^\| (\d{3}) \| `([A-Z_]+)`/gm))
      expect([code, statusOf(code ?? '')]).toEqual([code, Number(status)]);
  });
});

const SECRETS = { session: SESSION, bot: BOT, webhook: 'tok', mail: 'tok' };

describe('an example of API.md', () => {
  const edge = useEdge();

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))('is taken: %s', async (_, row) => {
    const { verb, target, headers, body } = exampleRequest(row, SECRETS);
    const sent = body === undefined ? { headers } : { headers, body };
    const { status } = await edge.send(`${verb} ${target}`, sent);
    expect(describeRow(row).status).toContain(status);
    expect(edge.peers.calls.at(-1)).toMatchObject({ service: row.service, rpc: row.rpc });
  });

  it('belongs to an existing route', () => {
    const rpcs = ROUTES.map(({ service, rpc }) => `${service}.${rpc}`);
    expect(rpcs).toEqual(expect.arrayContaining(Object.keys(EXAMPLES)));
  });

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))(
    'has a body where the route takes one, written or derived: %s',
    (_, row) => {
      expect(exampleRequest(row, SECRETS).body !== undefined).toBe(row.body !== 'none');
      expect(derivedBody(row) !== undefined).toBe(row.body !== 'none');
    },
  );

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))(
    'may be derived from the contract: the edge takes that too on %s',
    async (_, row) => {
      const { verb, target, headers } = exampleRequest(row, SECRETS);
      const body = derivedBody(row);
      const options = body === undefined ? { headers } : { headers, body };
      expect(describeRow(row).status).toContain((await edge.send(`${verb} ${target}`, options)).status);
    },
  );
});

describe('the contracts’ comments', () => {
  const comments = readContractComments();

  it('are found on every service, RPC and message, and on fields', () => {
    expect(comments.get('gatehouse.chat.v1.ChatService')).toMatch(/^ChatService owns/);
    expect(comments.get('gatehouse.chat.v1.ChatService.GetGuild')).toMatch(/^GetGuild returns/);
    expect(comments.get('gatehouse.chat.v1.ListMessagesRequest.limit')).toBe(
      'Maximum number of messages, 1-100.',
    );
    expect(comments.get('gatehouse.chat.v1.EmbedInput.url')).toMatch(/http or https/);
  });

  it('give the errors of an RPC, one by one, and those of another where they refer to it', () => {
    const errors = (rpc: string) => errorsOf(comments, `gatehouse.${rpc}`);
    expect(errors('chat.v1.ChatService.GetGuild')).toEqual(['NOT_FOUND', 'MISSING_ACCESS']);
    expect(errors('webhook_delivery.v1.WebhookDeliveryService.ListGuildWebhooks')).toEqual(
      errors('chat.v1.ChatService.ListWebhookChannels'),
    );
    expect(errors('chat.v1.ChatService.ListWebhookChannels')).toContain('NOT_FOUND');
    expect(errors('auth.v1.AuthService.Logout')).toEqual([]);
    expect(errors('auth.v1.AuthService.EnableTotp')).toEqual([
      'INVALID_FORM_BODY (INVALID_FORMAT at `secret`, INVALID_MFA_CODE at `code`, a wrong proof)',
      'SUDO_MODE_REQUIRED',
      'BAD_REQUEST if TOTP is enabled already',
    ]);
  });

  it('know a code of an error from any other word', () => {
    expect([statusOf(invalidForm([]).reason), statusOf('NOT_FOUND'), statusOf('NOT_A_CODE')]).toEqual([
      400,
      404,
      undefined,
    ]);
  });
});

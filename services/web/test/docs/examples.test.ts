import { describe, expect, it } from 'vitest';
import { curlExample } from '../../generate/examples/curl.ts';
import { exampleRequest } from '../../generate/examples/example-request.ts';
import { goExample } from '../../generate/examples/go.ts';
import { pythonExample } from '../../generate/examples/python.ts';
import { typescriptExample } from '../../generate/examples/typescript.ts';
import type { Operation } from '../../generate/openapi.ts';
import { APPLICATION_ID, BASE_URL } from '../../generate/placeholders.ts';

const BASE = { tags: ['Guilds'], tag: 'Guilds', summary: 'An operation', responses: {} } as const;

const OPERATION: Operation = {
  ...BASE,
  operationId: 'createRole',
  method: 'POST',
  path: '/guilds/{guild_id}/roles',
  parameters: [
    { name: 'guild_id', in: 'path', required: true, schema: { type: 'string', examples: ['11'] } },
    { name: 'dry', in: 'query', schema: { type: 'boolean' }, example: true },
    { name: 'after', in: 'query', schema: { type: 'string' } },
    { name: 'X-Audit-Log-Reason', in: 'header', schema: { type: 'string' } },
  ],
  requestBody: { content: { 'application/json': { example: { name: "Ann's `role`", hoist: null } } } },
  'x-credentials': ['session', 'bot'],
};

const WITH_SCHEMA: Operation = {
  ...OPERATION,
  requestBody: {
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/CreateRoleRequest' },
        example: { name: "Ann's `role`", hoist: null },
      },
    },
  },
};

const TOKEN_ROUTE: Operation = {
  ...BASE,
  operationId: 'getTokenWebhook',
  method: 'GET',
  path: '/webhooks/{webhook_id}/{token}',
  parameters: [{ name: 'webhook_id', in: 'path', required: true, schema: { type: 'string' }, example: '7' }],
  'x-credentials': ['webhook'],
};

const FORM: Operation = {
  ...BASE,
  operationId: 'introspectToken',
  method: 'POST',
  path: '/oauth2/introspect',
  requestBody: {
    content: {
      'application/x-www-form-urlencoded': {
        example: { token: '$ACCESS_TOKEN', client_id: '1', client_secret: '$CLIENT_SECRET' },
      },
    },
  },
  'x-credentials': ['client'],
};

describe('an example', () => {
  it('has the values of the document, and parameters only if they have one or are required', () => {
    expect(exampleRequest(OPERATION)).toMatchObject({
      path: '/guilds/11/roles',
      query: [['dry', 'true']],
      headers: [],
      credential: { kind: 'header', scheme: 'Bearer', variable: 'TOKEN' },
    });
  });

  it('has the reader’s application wherever an application is named', () => {
    const request = exampleRequest({
      ...OPERATION,
      path: '/oauth2/applications/{application_id}',
      parameters: [{ name: 'application_id', in: 'path', required: true, schema: {} }],
      requestBody: { content: { 'application/json': { example: { deep: [{ client_id: '5' }] } } } },
    });
    expect(request.path).toBe(`/oauth2/applications/${APPLICATION_ID}`);
    expect(request.json).toEqual({ deep: [{ client_id: APPLICATION_ID }] });
  });

  it('is a command of curl that a shell reads as it is', () => {
    expect(curlExample(exampleRequest(OPERATION))).toBe(
      [
        `curl -X POST "${BASE_URL}/api/v1/guilds/11/roles?dry=true"`,
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'Content-Type: application/json'",
        `-d '{"name": "Ann'\\''s \`role\`", "hoist": null}'`,
      ].join(' \\\n  '),
    );
    expect(curlExample(exampleRequest(TOKEN_ROUTE))).toBe(
      `curl "${BASE_URL}/api/v1/webhooks/7/$WEBHOOK_TOKEN"`,
    );
    expect(curlExample(exampleRequest(FORM)).split(' \\\n  ').slice(1)).toEqual([
      `-u "${APPLICATION_ID}:$CLIENT_SECRET"`,
      '--data-urlencode "token=$ACCESS_TOKEN"',
    ]);
  });

  it('is Python with the client', () => {
    const show = (operation: Operation) => pythonExample(operation, exampleRequest(operation));
    const text = show(WITH_SCHEMA);
    expect(text).toContain(
      'from gatehouse.api.guilds import create_role\nfrom gatehouse.models import CreateRoleRequest',
    );
    expect(text).toContain('create_role.sync(\n        "11",\n        client=client,\n        dry=True,');
    expect(text).toContain(`CreateRoleRequest.from_dict({"name": "Ann's \`role\`", "hoist": None})`);
    expect(show(TOKEN_ROUTE)).toContain('with Client(base_url=');
    expect(show(TOKEN_ROUTE)).toContain('        os.environ["WEBHOOK_TOKEN"],\n');
    expect(show({ ...WITH_SCHEMA, 'x-credentials': ['bot'] })).toContain('prefix="Bot"');
  });

  it('is Python with httpx for forms and bodies without a name', () => {
    expect(pythonExample(FORM, exampleRequest(FORM))).toContain('data={"token": os.environ["ACCESS_TOKEN"]}');
    const text = pythonExample(OPERATION, exampleRequest(OPERATION));
    expect(text).toContain(`json={"name": "Ann's \`role\`", "hoist": None}`);
    expect(text).toContain('params={"dry": "true"}');
  });

  it('is TypeScript with the SDK', () => {
    const show = (operation: Operation) => typescriptExample(operation, exampleRequest(operation));
    expect(show(OPERATION)).toContain(
      "session: process.env.TOKEN });\nconst { data } = await api.POST('/guilds/",
    );
    expect(show(OPERATION)).toContain("params: { path: { guild_id: '11' }, query: { dry: true } }");
    expect(show(TOKEN_ROUTE)).toContain("{ webhook_id: '7', token: process.env.WEBHOOK_TOKEN ?? '' }");
    expect(show(FORM)).toContain("client_secret: process.env.CLIENT_SECRET ?? ''");
    expect(show({ ...OPERATION, responses: { 204: {} } })).toContain('\nawait api.POST(');
  });

  it('is Go, with the packages that it uses', () => {
    const text = goExample(exampleRequest(OPERATION));
    expect(text).toContain('strings.NewReader("{\\"name\\"');
    expect(text).toContain('"strings"');
    const get = goExample(exampleRequest(TOKEN_ROUTE));
    expect(get).toContain('/7/"+os.Getenv("WEBHOOK_TOKEN"), nil)');
    expect(get).not.toContain('"strings"');
    expect(goExample(exampleRequest(FORM))).toContain('request.SetBasicAuth(');
  });
});

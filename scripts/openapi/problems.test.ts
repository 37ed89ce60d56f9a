import { readFileSync } from 'node:fs';
import { ROUTES } from '@gatehouse/gateway/routes';
import { messageSchema } from '@gatehouse/kit/json';
import { describe, expect, it } from 'vitest';
import { readContractComments } from '../api-reference/contract-comments.ts';
import { openApiDocument } from './document.ts';
import { findWrongExamples } from './example-problems.ts';
import type { FieldSchema } from './field-schema.ts';
import { Problems } from './problems.ts';
import { findOtherRoutes, findUnknownExamples } from './route-problems.ts';
import { ruleProblems, valueProblems } from './rule-problems.ts';
import type { SchemaRule } from './schema-rules.ts';

const FILE = 'gateway/openapi.json';
const TEXT = readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8');
const COMMENTS = readContractComments();
const CREATE_GUILD = ROUTES.filter(({ rpc }) => rpc === 'createGuild');

/** What `npm run generate` throws if the contracts do not have these comments. */
function withoutComments(...names: string[]): () => unknown {
  const comments = new Map([...COMMENTS].filter(([name]) => !names.includes(name)));
  return () => openApiDocument(CREATE_GUILD, comments);
}

describe('the document fails, and names the place', () => {
  it('of a public field without a comment: in a request, in a response, and as a parameter', () => {
    expect(
      withoutComments('gatehouse.chat.v1.CreateGuildRequest.name', 'gatehouse.chat.v1.Role.hoist'),
    ).toThrow(
      [
        'proto/gatehouse/chat/v1/chat.proto: CreateGuildRequest.name: there is no comment',
        'proto/gatehouse/chat/v1/chat.proto: Role.hoist: there is no comment',
      ].join('\n'),
    );
    const comments = new Map(COMMENTS);
    comments.delete('gatehouse.chat.v1.GetGuildRequest.guild_id');
    expect(() => openApiDocument(ROUTES, comments)).toThrow(
      'proto/gatehouse/chat/v1/chat.proto: GetGuildRequest.guild_id: there is no comment',
    );
  });

  it('of a message without a comment', () => {
    expect(withoutComments('gatehouse.chat.v1.Role')).toThrow(
      'proto/gatehouse/chat/v1/chat.proto: Role: there is no comment',
    );
  });

  it('of a route whose RPC has no comment', () => {
    expect(withoutComments('gatehouse.chat.v1.ChatService.CreateGuild')).toThrow(
      'POST /guilds: the RPC gatehouse.chat.v1.ChatService.CreateGuild has no comment',
    );
  });

  it('of an operation that is no route, and of a route that it does not have', () => {
    const document = JSON.parse(TEXT);
    const { post, ...others } = document.paths['/guilds'];
    document.paths['/guilds'] = { ...others, put: post };
    const problems = new Problems();
    findOtherRoutes(FILE, JSON.stringify(document), ROUTES, problems);
    expect(problems.lines()).toEqual([
      'gateway/openapi.json: PUT /guilds: there is no such route',
      'gateway/openapi.json: POST /guilds: the route is missing',
    ]);
  });

  it('of an example for an RPC without a route', () => {
    const problems = new Problems();
    findUnknownExamples(ROUTES, problems, { 'chat.createGuild': {}, 'chat.createGild': {} });
    expect(problems.lines()).toEqual([
      'scripts/api-reference/examples.ts: chat.createGild: no route has this RPC',
    ]);
  });

  it('of an example that its own schema refuses: of a body, and of a parameter', () => {
    const document = JSON.parse(TEXT);
    const { content } = document.paths['/guilds'].post.requestBody;
    content['application/json'].example = { name: 5 };
    document.paths['/channels/{channel_id}/messages'].get.parameters.at(-1).example = 101;
    const problems = new Problems();
    findWrongExamples(document, problems);
    expect(problems.lines()).toEqual([
      'POST /guilds: the example of the body: name must be string',
      'GET /channels/{channel_id}/messages: the example of limit: must be <= 100',
    ]);
  });
});

/** A field of CreateChannelRequest. */
function field(name: string): FieldSchema {
  const found = messageSchema('gatehouse.chat.v1.CreateChannelRequest').fields.find(
    (one) => one.name === name,
  );
  if (found === undefined) throw new Error(`there is no field ${name}`);
  return found;
}

describe('a rule of a field', () => {
  it.each<[string, SchemaRule, string]>([
    ['position', { min_length: 1 }, 'min_length is a rule of texts, and the field is an integer'],
    ['parent_id', { pattern: '.' }, 'pattern is a rule of texts, and the field is a snowflake'],
    ['name', { max: 5 }, 'max is a rule of numbers, and the field is a string'],
    ['name', { min_items: 1 }, 'min_items is a rule of lists, and the field is a string'],
    ['name', { min_length: 5, max_length: 4 }, 'min_length is above max_length'],
    ['name', { pattern: '(' }, 'the pattern does not compile'],
    ['name', { format: 'date-tiem' }, 'the format date-tiem is unknown'],
    ['position', { format: 'email' }, 'the format email does not fit an integer'],
    ['permission_overwrites', { max_items: 101 }, 'max_items is above 100, the limit in (kit.v1.json)'],
    ['name', { default: 'general' }, 'default: general is not JSON'],
    ['name', { values: ['"a"', 'b'] }, 'values: b is not JSON'],
  ])('that contradicts %s is found: %j', (name, rule, problem) => {
    expect(ruleProblems(field(name), rule)).toEqual([expect.stringContaining(problem)]);
  });

  it.each<[SchemaRule, object, string]>([
    [{ default: '5' }, { type: 'integer', maximum: 4 }, 'the default 5 must be <= 4'],
    [{ example: '""' }, { type: 'string', minLength: 1 }, 'the example "" must NOT have fewer than 1'],
    [{ example: '"b"' }, { type: 'string', enum: ['a'] }, 'the example "b" must be equal to one of'],
    [{ values: ['"a"', '1'] }, { type: 'string', enum: ['a', 1] }, 'the value 1 must be string'],
  ])('whose values it refuses itself is found: %j', (rule, schema, problem) => {
    expect(valueProblems(rule, { ...schema })).toEqual([expect.stringContaining(problem)]);
  });

  it('that fits its field has no problem', () => {
    const rule = { min: 0, max: 10, default: '0', example: '10' };
    expect(ruleProblems(field('position'), rule)).toEqual([]);
    expect(valueProblems(rule, { type: 'integer', minimum: 0, maximum: 10 })).toEqual([]);
  });
});

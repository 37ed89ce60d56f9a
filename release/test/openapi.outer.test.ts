import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goProgram } from '@gatehouse/dev-env/programs/go-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breaksOf, OPENAPI, RELEASED_OPENAPI } from '../openapi-breaks.ts';

const oasdiff = await goProgram({
  name: 'oasdiff',
  path: 'github.com/oasdiff/oasdiff',
  version: 'v1.37.0',
});

interface Schema {
  required: string[];
  properties: Record<string, Record<string, unknown>>;
}

/** The parts of the document that these tests change. */
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  security: object[];
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: { oneOf: object[] } }> }
  >;
}

const schema = ({ components }: Document, name: string): Schema =>
  components.schemas[name] ?? { required: [], properties: {} };
const createGuild = ({ paths }: Document): Operation =>
  paths['/guilds']?.post ?? { security: [], responses: {} };
const acceptInvite = ({ paths }: Document): Operation =>
  paths['/invites/{code}']?.post ?? { security: [], responses: {} };
const codes = (operation: Operation, status: string): object[] =>
  operation.responses[status]?.content?.['application/json']?.schema.oneOf ?? [];

const BREAKING: [string, string, (document: Document) => void][] = [
  ['a removed route', 'DELETE /guilds/{guild_id}', ({ paths }) => delete paths['/guilds/{guild_id}']?.delete],
  [
    'a new required member',
    'POST /guilds',
    (document) => {
      schema(document, 'CreateGuildRequest').properties.region = { type: 'string' };
      schema(document, 'CreateGuildRequest').required.push('region');
    },
  ],
  [
    'a removed member of a response',
    '`owner_id`',
    (document) => {
      delete schema(document, 'Guild').properties.owner_id;
      schema(document, 'Guild').required = schema(document, 'Guild').required.filter((n) => n !== 'owner_id');
    },
  ],
  [
    'a member of a response that may be absent',
    '`name`',
    (document) => {
      schema(document, 'Guild').required = schema(document, 'Guild').required.filter((n) => n !== 'name');
    },
  ],
  [
    'a narrower type in a request',
    'POST /guilds',
    (document) => {
      schema(document, 'CreateGuildRequest').properties.name = { type: 'string', maxLength: 10 };
    },
  ],
  [
    'another type in a response',
    '`name`',
    (document) => {
      schema(document, 'Guild').properties.name = { type: 'integer' };
    },
  ],
  ['a removed status', '`403`', (document) => delete createGuild(document).responses['403']],
  ['a removed error code', 'POST /invites/{code}', (document) => codes(acceptInvite(document), '404').pop()],
  [
    'a credential that is no longer accepted',
    'POST /guilds',
    (document) => createGuild(document).security.pop(),
  ],
];

const COMPATIBLE: [string, (document: Document) => void][] = [
  ['no change', () => undefined],
  [
    'a new route',
    ({ paths }) => {
      paths['/new'] = { get: { security: [], responses: { 204: { description: 'Done.' } } } };
    },
  ],
  [
    'a new member of a request that may be absent',
    (document) => {
      schema(document, 'CreateGuildRequest').properties.region = { type: ['string', 'null'] };
    },
  ],
  [
    'a new member of a response',
    (document) => {
      schema(document, 'Guild').properties.region = { type: 'string' };
      schema(document, 'Guild').required.push('region');
    },
  ],
  [
    'a new status',
    (document) => {
      createGuild(document).responses['402'] = { description: 'Not paid.' };
    },
  ],
  [
    'a new error code',
    (document) =>
      codes(acceptInvite(document), '404').push({ $ref: '#/components/schemas/UnknownMessageError' }),
  ],
  [
    'a wider type in a request',
    (document) => {
      schema(document, 'CreateGuildRequest').properties.name = { type: 'string' };
    },
  ],
];

describe.skipIf(oasdiff === undefined)('oasdiff, by the promises of UPGRADING.md', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    await copyFile(OPENAPI, join(folder, 'before.json'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function breaksAfter(change: (document: Document) => void): Promise<string> {
    const document: Document = JSON.parse(await readFile(OPENAPI, 'utf8'));
    change(document);
    const after = join(folder, 'after.json');
    await writeFile(after, JSON.stringify(document));
    return (await breaksOf(oasdiff ?? '', join(folder, 'before.json'), after)).join('\n');
  }

  it('finds nothing in gateway/openapi.json that breaks the last release', async () => {
    expect(await breaksOf(oasdiff ?? '', RELEASED_OPENAPI, OPENAPI)).toEqual([]);
  });

  it.each(BREAKING)('finds %s, with its place', async (_, place, change) => {
    expect(await breaksAfter(change)).toContain(place);
  });

  it.each(COMPATIBLE)('accepts %s', async (_, change) => {
    expect(await breaksAfter(change)).toBe('');
  });
});

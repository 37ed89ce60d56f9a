import { readFileSync } from 'node:fs';
import type { Route } from '@gatehouse/gateway/route';
import { type ContractComments, readContractComments } from '../api-reference/contract-comments.ts';
import { errorSchemas } from './error-schemas.ts';
import { headerComponents } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { MessageSchemas } from './message-schemas.ts';
import { operationOf } from './operation.ts';
import { sharedResponses } from './responses.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { sharedMessages } from './shared-messages.ts';
import { TAGS } from './tags.ts';

/** gateway/openapi.json: the description of the HTTP API in OpenAPI 3.1. */
export function openApiText(rows: readonly Route[]): string {
  return `${JSON.stringify(openApiDocument(rows), null, 2)}\n`;
}

export function openApiDocument(rows: readonly Route[]): JsonSchema {
  const comments = readContractComments();
  const schemas = new MessageSchemas(comments, sharedMessages(rows, comments));
  const paths = pathsOf(rows, comments, schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: version(),
      summary: 'Accounts, OAuth2, guilds, messages and webhooks of a chat platform.',
      description: conventions(),
    },
    servers: [{ url: '/api/v1', description: 'The address from which this document comes.' }],
    externalDocs: { url: '/docs', description: 'Guides' },
    tags: TAGS,
    paths,
    components: {
      schemas: { ...SNOWFLAKES, ...errorSchemas(), ...schemas.components() },
      responses: sharedResponses(),
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Paths in the order of the route table, each with its verbs. */
function pathsOf(
  rows: readonly Route[],
  comments: ContractComments,
  schemas: MessageSchemas,
): Record<string, JsonSchema> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const row of rows) {
    const operation = operationOf(row, comments, schemas);
    paths[row.path] = { ...paths[row.path], [row.verb.toLowerCase()]: operation };
  }
  return paths;
}

const DECIMAL_ID = '^(0|[1-9][0-9]{0,18})$';

export const SNOWFLAKES: Readonly<Record<string, JsonSchema>> = {
  Snowflake: {
    type: 'string',
    description:
      'A 64-bit ID as decimal digits: 0 to 9223372036854775807, without sign, blanks or leading zeros.',
    pattern: DECIMAL_ID,
    examples: ['1234567890123456789'],
  },
  SnowflakeInput: {
    type: ['string', 'integer'],
    description:
      'A 64-bit ID. Send it as a string of decimal digits. An integer is accepted too, but many JSON libraries round it.',
    pattern: DECIMAL_ID,
    minimum: 0,
    // The largest number of JavaScript that is an ID: 2^63 less one step.
    maximum: 2 ** 63 - 1024,
    examples: ['1234567890123456789'],
  },
};

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return text;
}

/** The conventions without their title and their remark for readers of the file. */
function conventions(): string {
  const text = readFileSync(new URL('conventions.md', import.meta.url), 'utf8');
  return text.trim();
}

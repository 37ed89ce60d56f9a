import { readFileSync } from 'node:fs';
import type { Route } from '@gatehouse/gateway/route';
import { ROUTES } from '@gatehouse/gateway/routes';
import { type ContractComments, readContractComments } from '../api-reference/contract-comments.ts';
import { errorSchemas } from './error-schemas.ts';
import { findWrongExamples } from './example-problems.ts';
import { headerComponents } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { MessageSchemas } from './message-schemas.ts';
import { operationOf } from './operation.ts';
import { Problems } from './problems.ts';
import { sharedResponses } from './responses.ts';
import { findUndescribedRoutes, findUnknownExamples } from './route-problems.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { sharedMessages } from './shared-messages.ts';
import { LARGEST_ID, LARGEST_NUMBER_OF_ID, SNOWFLAKES } from './snowflakes.ts';
import { TAGS } from './tags.ts';

/**
 * gateway/openapi.json: the description of the HTTP API in OpenAPI 3.1.
 *
 * @throws Error that names the places of all mistakes in the sources
 */
export function openApiText(rows: readonly Route[]): string {
  const text = JSON.stringify(openApiDocument(rows), null, 2);
  return `${text.replaceAll(`"maximum": ${LARGEST_NUMBER_OF_ID}`, `"maximum": ${LARGEST_ID}`)}\n`;
}

/** @throws Error that names the places of all mistakes in the sources */
export function openApiDocument(
  rows: readonly Route[],
  comments: ContractComments = readContractComments(),
): JsonSchema {
  const problems = new Problems();
  const schemas = new MessageSchemas(comments, sharedMessages(rows, comments), problems);
  const paths = pathsOf(rows, comments, schemas);
  const document = {
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
  findUndescribedRoutes(rows, comments, problems);
  findUnknownExamples(ROUTES, problems);
  findWrongExamples(document, problems);
  problems.throwIfAny();
  return document;
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

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return text;
}

/** The conventions without their title and their remark for readers of the file. */
function conventions(): string {
  const text = readFileSync(new URL('conventions.md', import.meta.url), 'utf8');
  return text.trim();
}

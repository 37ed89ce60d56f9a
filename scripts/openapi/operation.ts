import type { Route } from '@gatehouse/gateway/route';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { summary } from '../api-reference/rpc-comment.ts';
import { description } from './descriptions.ts';
import type { JsonSchema } from './json-schema.ts';
import type { MessageSchemas } from './message-schemas.ts';
import { parametersOf } from './parameters.ts';
import { rateLimitOf } from './rate-limit.ts';
import { requestBodyOf } from './request-body.ts';
import { responsesOf } from './responses.ts';
import { credentialsOf, securityOf } from './security.ts';
import { tagOf } from './tags.ts';

/** The operation of a route. */
export function operationOf(row: Route, comments: ContractComments, schemas: MessageSchemas): JsonSchema {
  const text = description(summary(row, comments));
  const [headline = ''] = text.replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, '').split(/(?<=\.) /); // without links
  const parameters = parametersOf(row, comments, schemas);
  const requestBody = requestBodyOf(row, comments, schemas);
  return {
    operationId: row.rpc,
    tags: [tagOf(row)],
    summary: headline.replace(/\.$/, ''),
    description: text,
    security: securityOf(row),
    'x-credentials': credentialsOf(row),
    'x-rate-limit': rateLimitOf(row),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(row, comments, schemas),
  };
}

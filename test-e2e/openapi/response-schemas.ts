import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Reply } from '../support/api.ts';
import { DOCUMENT, type PlacedOperation } from './document.ts';

/** As the API writes them: UTC, with milliseconds. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The response schemas of the document, each compiled once. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': TIMESTAMP, uri: URL.canParse },
});
ajv.addSchema(DOCUMENT, 'openapi.json');

/** Expects a documented success: its status, its content type, and a body that the schema accepts. */
export function expectDocumentedSuccess(
  place: PlacedOperation,
  reply: Pick<Reply, 'status' | 'headers' | 'text'>,
): void {
  const { operation } = place;
  const what = `${operation.operationId} answers ${reply.status} ${reply.text}`;
  const successes = Object.keys(operation.responses).filter((status) => /^[23]/.test(status));
  expect(successes, what).toContain(String(reply.status));
  const content = operation.responses[String(reply.status)]?.content;
  if (content === undefined) {
    expect(reply.text, `${operation.operationId} is documented without a body`).toBe('');
    return;
  }
  const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
  expect(Object.keys(content), what).toContain(type);
  const validate = responseSchema(place, reply.status, type);
  const body: unknown = type === 'application/json' ? JSON.parse(reply.text) : reply.text;
  if (!validate(body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
}

function responseSchema(
  { path, method, operation }: PlacedOperation,
  status: number,
  type: string,
): ValidateFunction {
  const steps = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`openapi.json#/${pointer.join('/')}`);
  if (validate === undefined)
    throw new Error(`${operation.operationId}: there is no schema of ${status} ${type}`);
  return validate;
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { DOCUMENT, type PlacedOperation } from './document.ts';

/** As the API writes them: UTC, with milliseconds. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The schemas of the document, each compiled once. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': TIMESTAMP, uri: URL.canParse, binary: true },
});
ajv.addSchema(DOCUMENT, 'openapi.json');

/** Why a body of the request or of a response does not fit its schema; empty if it fits. */
export function schemaProblems(
  { path, method, operation }: PlacedOperation,
  place: readonly ['requestBody'] | readonly ['responses', string],
  type: string,
  body: unknown,
): string {
  const validate = schemaAt(['paths', path, method, ...place, 'content', type, 'schema']);
  if (validate === undefined)
    throw new Error(`${operation.operationId}: there is no schema of ${place.join(' ')} ${type}`);
  return validate(body) ? '' : ajv.errorsText(validate.errors);
}

function schemaAt(steps: readonly string[]): ValidateFunction | undefined {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  return ajv.getSchema(`openapi.json#/${pointer.join('/')}`);
}

import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import type { JsonSchema } from './json-schema.ts';

const OPTIONS: Options = { strict: false, allErrors: true, validateFormats: false };

/**
 * Validates values by schemas that refer to components of a document. Formats are not checked.
 *
 * @returns the function that says what is wrong with a value; undefined if nothing is
 */
export function jsonValidator(
  components: JsonSchema,
): (schema: JsonSchema, value: unknown) => string | undefined {
  const ajv = new Ajv2020(OPTIONS);
  return (schema, value) => {
    const validate = ajv.compile({ ...schema, components });
    return validate(value) ? undefined : (validate.errors ?? []).map(errorText).join('; ');
  };
}

function errorText({ instancePath, message = 'is invalid' }: ErrorObject): string {
  return instancePath === '' ? message : `${instancePath.slice(1).replaceAll('/', '.')} ${message}`;
}

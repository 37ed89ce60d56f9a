import { readFileSync } from 'node:fs';
import { apiTypes } from './api-types.ts';
import { unsharedBuckets } from './unshared-buckets.ts';

const DOCUMENT = new URL('../../gateway/openapi.json', import.meta.url);

/** The generated files of this package, which are made from gateway/openapi.json, by their paths from the root. */
export const SDK_FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'sdk/src/generated/api.ts': () => apiTypes(openApi()),
  'sdk/src/generated/unshared-buckets.ts': () => unsharedBuckets(openApi()),
};

function openApi() {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8'));
}

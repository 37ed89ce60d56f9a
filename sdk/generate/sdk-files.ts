import { readFileSync } from 'node:fs';
import { apiTypes } from './api-types.ts';
import { gatewayTypes } from './gateway-types.ts';
import { unsharedBuckets } from './unshared-buckets.ts';

/** The generated files of this package, which are made from the descriptions of the API, by their paths from the root. */
export const SDK_FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'sdk/src/generated/api.ts': () => apiTypes(openApi()),
  'sdk/src/generated/gateway.ts': () => gatewayTypes(document('asyncapi.json')),
  'sdk/src/generated/unshared-buckets.ts': () => unsharedBuckets(openApi()),
};

function openApi() {
  return document('openapi.json');
}

function document(name: string) {
  return JSON.parse(readFileSync(new URL(`../../gateway/${name}`, import.meta.url), 'utf8'));
}

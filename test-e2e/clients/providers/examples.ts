import { createRequire } from 'node:module';
import type { Payload } from './codehost-table.ts';

export interface Delivery {
  event: string;
  payload: Payload;
}

/** Every payload of the published examples (the api.github.com set), in the package's order. */
export function exampleDeliveries(): Delivery[] {
  const events: { name: string; examples: Payload[] }[] = createRequire(import.meta.url)(
    '@octokit/webhooks-examples',
  );
  return events.flatMap(({ name, examples }) => examples.map((payload) => ({ event: name, payload })));
}

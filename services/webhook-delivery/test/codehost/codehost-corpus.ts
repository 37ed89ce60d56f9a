import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A delivery of the published examples of a real code host. */
export interface Example {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** All examples, in the package's order. The caller owns the payloads. */
export function exampleDeliveries(): Example[] {
  const path = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const events: { name: string; examples: Example['payload'][] }[] = JSON.parse(readFileSync(path, 'utf8'));
  return events.flatMap(({ name, examples }) => examples.map((payload) => ({ event: name, payload })));
}

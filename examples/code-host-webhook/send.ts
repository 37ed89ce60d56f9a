import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Sends an event to a webhook as a code host does. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { delivery: { type: 'string', default: randomUUID() } },
});
const [event = 'push', file = new URL('push.json', import.meta.url)] = positionals;
const { WEBHOOK_URL } = process.env;
if (!WEBHOOK_URL) exit('Set WEBHOOK_URL to the URL of a webhook, as the web app shows it.');

const response = await fetch(`${WEBHOOK_URL}/codehost`, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-codehost-event': event,
    // A repeated delivery has the same ID, and is shown once.
    'x-codehost-delivery': values.delivery,
  },
  body: readFileSync(file),
}).catch((error: Error) => exit(`Nothing answers at the URL: ${String(error.cause ?? error)}`));

if (response.status !== 204) exit(`The webhook answers ${response.status}: ${await response.text()}`);
console.log(`Sent ${event} as delivery ${values.delivery}.`);

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}

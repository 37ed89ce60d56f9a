import { APPLICATION_ID } from '../placeholders.ts';
import { addressOf, type ExampleRequest } from './example-request.ts';
import { JSON_STYLE, literal } from './literal.ts';

/** The example as a command for a shell. */
export function curlExample(request: ExampleRequest): string {
  const address = addressOf(request, (variable) => `$${variable}`);
  const lines = [`curl ${request.method === 'GET' ? '' : `-X ${request.method} `}"${address}"`];
  const { credential } = request;
  if (credential?.kind === 'header')
    lines.push(`-H "Authorization: ${credential.scheme} $${credential.variable}"`);
  if (credential?.kind === 'client') lines.push(`-u "${APPLICATION_ID}:$CLIENT_SECRET"`);
  for (const [name, value] of request.headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (request.form !== undefined)
    for (const [name, value] of request.form) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  if (request.json !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`);
    lines.push(`-d ${quoted(literal(request.json, JSON_STYLE, 2))}`);
  }
  return lines.join(' \\\n  ');
}

/** Nothing is special inside single quotes of a shell, except a single quote. Values of variables start with $. */
function quoted(text: string): string {
  if (/^[\w-]+=\$\w+$/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

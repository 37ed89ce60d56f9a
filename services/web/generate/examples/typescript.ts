import type { Operation } from '../openapi.ts';
import { APPLICATION_ID, BASE_URL } from '../placeholders.ts';
import { addressOf, type ExampleRequest } from './example-request.ts';
import { literal, TYPESCRIPT_STYLE } from './literal.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CLIENT = { client_id: APPLICATION_ID, client_secret: '$CLIENT_SECRET' };
const OPTIONS: Readonly<Record<string, string>> = {
  TOKEN: 'session',
  BOT_TOKEN: 'bot',
  ACCESS_TOKEN: 'accessToken',
};

/** The example as TypeScript with @gatehouse/sdk. */
export function typescriptExample(operation: Operation, request: ExampleRequest): string {
  const { credential, method } = request;
  if (!hasAnswer(operation)) return redirectExample(request);
  const options = [`baseUrl: '${BASE_URL}'`];
  if (credential?.kind === 'header')
    options.push(`${OPTIONS[credential.variable]}: process.env.${credential.variable}`);
  const call = callOf(operation, request);
  const argument = Object.keys(call).length === 0 ? '' : `, ${literal(call, TYPESCRIPT_STYLE)}`;
  const hasBody = !('204' in operation.responses);
  return [
    "import { createClient } from '@gatehouse/sdk';",
    '',
    `const api = createClient({ ${options.join(', ')} });`,
    `${hasBody ? 'const { data } = ' : ''}await api.${method}('${operation.path}'${argument});`,
    ...(hasBody ? ['console.log(data);'] : []),
  ].join('\n');
}

/** The SDK has no operations that answer browsers with a redirect. */
function hasAnswer({ responses }: Operation): boolean {
  const statuses = Object.keys(responses);
  return statuses.some((status) => status.startsWith('2')) || statuses.length === 0;
}

function redirectExample(request: ExampleRequest): string {
  return [
    `const url = '${addressOf(request, (variable) => variable)}';`,
    '// In a browser: location.assign(url)',
    "const response = await fetch(url, { redirect: 'manual' });",
    "console.log(response.status, response.headers.get('location'));",
  ].join('\n');
}

/** The second argument of a call. */
function callOf({ path, parameters = [] }: Operation, request: ExampleRequest): Record<string, unknown> {
  const { query, headers, json, form, credential } = request;
  const places = {
    path: pathValues(path, request),
    query: typed(query, parameters),
    header: Object.fromEntries(headers),
  };
  const params = Object.entries(places).filter(([, values]) => Object.keys(values).length > 0);
  return {
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(form !== undefined && {
      headers: FORM,
      body: { ...(credential?.kind === 'client' && CLIENT), ...Object.fromEntries(form) },
    }),
    ...(json !== undefined && { body: json }),
  };
}

function pathValues(path: string, request: ExampleRequest): Record<string, string> {
  const filled = request.path.split('/');
  const names = path.split('/').flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return [];
    const variable = request.secrets[name];
    return [[name, variable === undefined ? filled[at] : `$${variable}`] as const];
  });
  return Object.fromEntries(names.map(([name, value = '']) => [name, value]));
}

/** The values of a query with their types in the document. */
function typed(
  query: ExampleRequest['query'],
  parameters: NonNullable<Operation['parameters']>,
): Record<string, unknown> {
  const values = query.map(([name, value]) => {
    const parameter = parameters.find((one) => one.name === name && one.in === 'query');
    return [name, parameter?.example ?? value];
  });
  return Object.fromEntries(values);
}

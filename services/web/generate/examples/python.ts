import { nameOf, type Operation } from '../openapi.ts';
import { BASE_URL } from '../placeholders.ts';
import type { ExampleRequest } from './example-request.ts';
import { httpxExample } from './httpx.ts';
import { literal, PYTHON_STYLE } from './literal.ts';

const MARGIN = 8;

/**
 * The example as Python with the package gatehouse, which openapi-python-client makes; with httpx if the package has no
 * name for the body, or the credential is an application's.
 */
export function pythonExample(operation: Operation, request: ExampleRequest): string {
  const { json, credential, form } = request;
  const model = modelOf(operation);
  const isPlain = Object.keys(operation.responses).includes('302');
  if (isPlain || form !== undefined || credential?.kind === 'client' || (json !== undefined && !model))
    return httpxExample(request);
  const name = snakeCase(operation.operationId);
  const [client, creation] = clientOf(request);
  const call = [
    ...pathArguments(operation, request),
    'client=client',
    ...queryArguments(operation, request),
    ...(json === undefined ? [] : [`body=${model}.from_dict(${literal(json, PYTHON_STYLE, MARGIN)})`]),
  ];
  const program = [
    `from gatehouse import ${client}`,
    `from gatehouse.api.${snakeCase(operation.tag)} import ${name}`,
    ...(json === undefined ? [] : [`from gatehouse.models import ${model}`]),
    '',
    `with ${creation} as client:`,
    `    answer = ${name}.sync(`,
    ...call.map((argument) => `${' '.repeat(MARGIN)}${argument},`),
    '    )',
    '    print(answer)',
  ].join('\n');
  return program.includes('os.environ') ? `import os\n\n${program}` : program;
}

/** The name of the body's only schema. */
function modelOf({ requestBody }: Operation): string | undefined {
  const [body, ...others] = Object.values(requestBody?.content ?? {});
  const ref = body?.schema?.$ref;
  return ref === undefined || others.length > 0 ? undefined : nameOf(ref);
}

function clientOf({ credential }: ExampleRequest): readonly [name: string, creation: string] {
  const base = `base_url="${BASE_URL}/api/v1"`;
  if (credential?.kind !== 'header') return ['Client', `Client(${base})`];
  const prefix = credential.scheme === 'Bot' ? ', prefix="Bot"' : '';
  const token = `token=os.environ["${credential.variable}"]`;
  return ['AuthenticatedClient', `AuthenticatedClient(${base}, ${token}${prefix})`];
}

/** The values of the path, by position. */
function pathArguments({ path }: Operation, request: ExampleRequest): string[] {
  const filled = request.path.split('/');
  return path.split('/').flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return [];
    const variable = request.secrets[name];
    return [variable === undefined ? JSON.stringify(filled[at]) : `os.environ["${variable}"]`];
  });
}

function queryArguments({ parameters = [] }: Operation, { query }: ExampleRequest): string[] {
  return query.map(([name, value]) => {
    const parameter = parameters.find((one) => one.name === name && one.in === 'query');
    return `${name}=${literal(parameter?.example ?? value, PYTHON_STYLE)}`;
  });
}

/** As openapi-python-client makes names of modules: `OAuth2` is `o_auth_2`. */
function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z\d])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();
}

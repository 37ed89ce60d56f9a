import { APPLICATION_ID, BASE_URL } from '../placeholders.ts';
import type { ExampleRequest } from './example-request.ts';
import { literal, PYTHON_STYLE } from './literal.ts';

const MARGIN = 4;

/** The example as Python with httpx. */
export function httpxExample(request: ExampleRequest): string {
  const { json, form, query } = request;
  const headers = headersOf(request);
  const call = [
    text(request.method),
    address(request),
    ...(query.length > 0 ? [`params=${members(query)}`] : []),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(request.credential?.kind === 'client'
      ? [`auth=("${APPLICATION_ID}", os.environ["CLIENT_SECRET"])`]
      : []),
    ...(form === undefined ? [] : [`data=${members(form)}`]),
    ...(json === undefined ? [] : [`json=${literal(json, PYTHON_STYLE, MARGIN)}`]),
  ];
  const lines = call.map((argument) => `${' '.repeat(MARGIN)}${argument},`);
  const program = ['import httpx', '', 'response = httpx.request(', ...lines, ')'].join('\n');
  const imports = program.includes('os.environ') ? 'import os\n\n' : '';
  return `${imports}${program}\nprint(response.status_code, response.text)`;
}

function headersOf({ headers, credential }: ExampleRequest): string[] {
  const own = headers.map(([name, value]) => `${text(name)}: ${text(value)}`);
  if (credential?.kind !== 'header') return own;
  return [`"Authorization": f"${credential.scheme} {os.environ['${credential.variable}']}"`, ...own];
}

function address({ path, secrets }: ExampleRequest): string {
  const withSecrets = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = secrets[name];
    return variable === undefined ? whole : `{os.environ['${variable}']}`;
  });
  return `${withSecrets === path ? '' : 'f'}"${BASE_URL}/api/v1${withSecrets}"`;
}

function members(pairs: readonly (readonly [string, string])[]): string {
  const values = pairs.map(([name, value]) => `${text(name)}: ${environmentOr(value)}`);
  const line = `{${values.join(', ')}}`;
  if (line.length <= 60) return line;
  const margin = ' '.repeat(MARGIN);
  return `{\n${values.map((value) => `${margin}${margin}${value},`).join('\n')}\n${margin}}`;
}

/** Values that start with $ are variables of the environment. */
function environmentOr(value: string): string {
  return value.startsWith('$') ? `os.environ["${value.slice(1)}"]` : text(value);
}

/** A string of JSON is one of Python too. */
function text(value: string): string {
  return JSON.stringify(value);
}

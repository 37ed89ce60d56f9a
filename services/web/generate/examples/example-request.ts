import type { Operation, Parameter } from '../openapi.ts';
import { APPLICATION_ID, APPLICATION_MEMBERS, BASE_URL } from '../placeholders.ts';

/** A credential in an example: an environment variable of the reader's shell. */
export type ExampleCredential =
  | { readonly kind: 'header'; readonly scheme: 'Bearer' | 'Bot'; readonly variable: string }
  | { readonly kind: 'client' }
  | undefined;

/** A request of an example, in no language yet. */
export interface ExampleRequest {
  readonly method: string;
  /** The path with values, except for the token of a webhook, which is `{token}`. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly credential: ExampleCredential;
  readonly json: unknown;
  readonly form: readonly (readonly [string, string])[] | undefined;
  /** Environment variables that the path contains, by parameter. */
  readonly secrets: Readonly<Record<string, string>>;
}

const ID = '1234567890123456789';
/** Path parameters that are credentials. */
const SECRET_PARAMETERS: Readonly<Record<string, string>> = { token: 'WEBHOOK_TOKEN' };
const RESET_PATH = '/auth/reset/{token}';

export function exampleRequest(operation: Operation): ExampleRequest {
  const { method, path, parameters = [], requestBody } = operation;
  const content = requestBody?.content ?? {};
  const json = content['application/json'];
  const form = json === undefined ? content['application/x-www-form-urlencoded'] : undefined;
  const secrets = path === RESET_PATH ? { token: 'MAIL_TOKEN' } : SECRET_PARAMETERS;
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      name in secrets
        ? whole
        : exampleValue(
            parameters.find((one) => one.name === name && one.in === 'path'),
            name,
          ),
    ),
    query: shown(parameters, 'query'),
    headers: shown(parameters, 'header'),
    credential: credentialOf(operation),
    json: json && withReadersId(json.example ?? {}),
    form: form && pairs(withReadersId(form.example ?? {}), operation),
    secrets: Object.fromEntries(Object.entries(secrets).filter(([name]) => path.includes(`{${name}}`))),
  };
}

/** The parameters with an example, and all required ones. */
function shown(parameters: readonly Parameter[], place: Parameter['in']): [string, string][] {
  return parameters
    .filter((one) => one.in === place && (one.required === true || one.example !== undefined))
    .map((one) => [one.name, exampleValue(one, one.name)]);
}

function exampleValue(parameter: Parameter | undefined, name: string): string {
  if (APPLICATION_MEMBERS.has(name)) return APPLICATION_ID;
  const value = parameter?.example ?? parameter?.schema.examples?.[0];
  if (value !== undefined) return String(value);
  return name.endsWith('id') ? ID : `{${name}}`;
}

function credentialOf({ 'x-credentials': credentials }: Operation): ExampleCredential {
  const [first = 'none'] = credentials.filter((one) => one !== 'none');
  if (first === 'client') return { kind: 'client' };
  if (first === 'bot') return { kind: 'header', scheme: 'Bot', variable: 'BOT_TOKEN' };
  if (first === 'session') return { kind: 'header', scheme: 'Bearer', variable: 'TOKEN' };
  if (first.startsWith('access_token')) return { kind: 'header', scheme: 'Bearer', variable: 'ACCESS_TOKEN' };
  return undefined;
}

/** The example with the placeholder of the application in its members, at every depth. */
function withReadersId(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReadersId);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      APPLICATION_MEMBERS.has(name) ? APPLICATION_ID : withReadersId(member),
    ]),
  );
}

/** Client credentials are in the header of the example, so the form does not repeat them. */
function pairs(form: unknown, { 'x-credentials': credentials }: Operation): [string, string][] {
  const byHeader = credentials.includes('client');
  return Object.entries(form as Record<string, unknown>)
    .filter(([name]) => !byHeader || (name !== 'client_id' && name !== 'client_secret'))
    .map(([name, value]) => [name, String(value)]);
}

/** The address with the query. `secret` writes a secret of the path in the example's language. */
export function addressOf(request: ExampleRequest, secret: (variable: string) => string): string {
  const path = request.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = request.secrets[name];
    return variable === undefined ? whole : secret(variable);
  });
  const query = request.query.map(([name, value]) => `${name}=${encodeQuery(value)}`).join('&');
  return `${BASE_URL}/api/v1${path}${query && `?${query}`}`;
}

/** The placeholder of the application is digits in the end. */
function encodeQuery(value: string): string {
  return value.split(APPLICATION_ID).map(encodeURIComponent).join(APPLICATION_ID);
}

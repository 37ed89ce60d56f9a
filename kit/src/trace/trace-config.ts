import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { EnvReader } from '../env.ts';
import { SAMPLERS, type Sampling } from './sampling.ts';

/** The destination of spans, and the sampling of requests. Names and meanings are OpenTelemetry's. */
export interface TraceConfig extends Sampling {
  /**
   * URL of an OTLP receiver over HTTP, without /v1/traces and without a trailing slash. May contain a user and
   * password.
   */
  readonly endpoint: string;
  /** Headers of each request to the receiver, such as a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Resource attributes beside the process's name. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Reads the tracing settings. Undefined: tracing is off. */
export function readTraceConfig(read: EnvReader): TraceConfig | undefined {
  const endpoint = readEndpoint(read);
  const headers = readHeaders(read);
  const resource = pairs(read, 'OTEL_RESOURCE_ATTRIBUTES', 'NAME=VALUE,NAME=VALUE of all spans');
  const sampler = read.choice('OTEL_TRACES_SAMPLER', {
    about: 'the requests that the edge traces; it accepts parents only from TRUSTED_PROXIES',
    choices: SAMPLERS,
    default: 'parentbased_always_on',
  });
  const ratio = readRatio(read);
  return endpoint === undefined ? undefined : { endpoint, headers, resource, sampler, ratio };
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Signal paths are appended to it. A user and password stay in it. */
function readEndpoint(read: EnvReader): string | undefined {
  const text = read.optionalUrl(ENDPOINT, {
    about:
      'the receiver of traces: OTLP over HTTP with protobuf, a URL without /v1/traces (docs/telemetry.md)',
    protocols: ['http', 'https'],
    unset: 'nothing is traced',
    example: 'http://127.0.0.1:4318',
  });
  const url = URL.parse(text ?? '');
  if (url === null) return undefined;
  if (/[?#]/.test(url.href)) read.problem(`${ENDPOINT} must have no query and no fragment`);
  if (percentDecoded(url.username) === undefined || percentDecoded(url.password) === undefined)
    read.problem(`${ENDPOINT} has a user or password that is not percent-encoded`);
  return url.href.replace(/\/+$/, '');
}

const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';
/** Headers that the exporter or Node sets; another value would break the request. */
const RESERVED_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The problems that it reports contain no values, which may be credentials. */
function readHeaders(read: EnvReader): Record<string, string> {
  const headers = pairs(read, HEADERS, 'NAME=VALUE,NAME=VALUE with each request to the receiver of traces');
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower)) read.problem(`${HEADERS} cannot set ${lower}`);
    else if (!isHeader(name, value)) read.problem(`${HEADERS} has a name or a value that no header can have`);
  }
  return headers;
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function readRatio(read: EnvReader): number {
  const text = read.text('OTEL_TRACES_SAMPLER_ARG', {
    about: 'the share of requests that samplers with a ratio trace, 0 to 1',
    default: '1',
  });
  const ratio = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio >= 0 && ratio <= 1)) read.problem('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return ratio;
}

/** key=value,key=value, percent-encoded (W3C Baggage). */
function pairs(read: EnvReader, variable: string, about: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const pair of (read.optionalText(variable, { about, unset: 'none' }) ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const [name = '', ...value] = pair.split('=');
    const entry = [name.trim(), value.join('=').trim()].map(percentDecoded);
    if (value.length === 0 || entry.includes(undefined) || entry[0] === '')
      read.problem(`${variable} must be NAME=VALUE, several separated by commas`);
    else entries.push(entry as [string, string]); // both are defined after the check
  }
  return Object.fromEntries(entries);
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

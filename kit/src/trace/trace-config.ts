import type { EnvReader } from '../env.ts';
import { SAMPLERS, type Sampling } from './sampling.ts';

/** Where spans go, and which requests make some. Names and meanings are OpenTelemetry's. */
export interface TraceConfig extends Sampling {
  /** Of an OTLP receiver over HTTP, without /v1/traces. */
  readonly endpoint: string;
  /** With each request to it: a credential, for example. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the spans come from: beside the process's name. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Undefined: nothing is traced. */
export function readTraceConfig(read: EnvReader): TraceConfig | undefined {
  const endpoint = read.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']);
  const headers = pairs(read, 'OTEL_EXPORTER_OTLP_HEADERS');
  const resource = pairs(read, 'OTEL_RESOURCE_ATTRIBUTES');
  const sampler = read.choice('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
  const ratio = Number(read.text('OTEL_TRACES_SAMPLER_ARG', '1'));
  if (!(ratio >= 0 && ratio <= 1)) read.problem('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  if (endpoint === undefined) return undefined;
  return { endpoint: endpoint.replace(/\/+$/, ''), headers, resource, sampler, ratio };
}

/** key=value,key=value, percent-encoded (W3C Baggage). */
function pairs(read: EnvReader, variable: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const pair of read.text(variable, '').split(',')) {
    if (pair.trim() === '') continue;
    const [name = '', ...value] = pair.split('=');
    const entry = [name.trim(), value.join('=').trim()].map(decoded);
    if (value.length === 0 || entry.includes(undefined) || entry[0] === '')
      read.problem(`${variable} must be NAME=VALUE, several separated by commas`);
    else entries.push(entry as [string, string]); // neither is undefined
  }
  return Object.fromEntries(entries);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

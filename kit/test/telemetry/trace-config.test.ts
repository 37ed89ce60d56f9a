import { expect, test } from 'vitest';
import { ConfigError, readEnv } from '../../src/env.ts';
import { readTraceConfig } from '../../src/trace/trace-config.ts';

const config = (env: Record<string, string>) => readEnv(env, readTraceConfig);
const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://receiver.internal:4318/otlp/';

test.each([
  ['http://user:s3cret@127.0.0.1:4318 ', 'http://user:s3cret@127.0.0.1:4318'],
  [' http://c:4318//', 'http://c:4318'],
  ['http://c:4318', 'http://c:4318'],
  ['https://c/otlp/', 'https://c/otlp'],
])('the endpoint %j is %s', (given, endpoint) => {
  expect(config({ OTEL_EXPORTER_OTLP_ENDPOINT: given })?.endpoint).toBe(endpoint);
});

test.each([
  'http://c:4318/x?tok=s3cret',
  'http://c:4318/?',
  'http://c:4318/#s3cret',
  'http://us%zz:s3cret@c:4318',
  'http://user:s3cret@c:4318:x',
])('the endpoint %s is refused without being repeated', (given) => {
  expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: given })).not.toContain('s3cret');
});

test.each([
  'bad name=s3cret',
  'a=s3cret%0Ay',
  'a=s3cret%C4%80',
  ...['content-length', 'Host', 'transfer-encoding', 'Connection', 'content-type'].map(
    (name) => `${name}=s3cret`,
  ),
])('the headers %s are refused without repeating a value', (headers) => {
  expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers })).not.toContain(
    's3cret',
  );
});

test.each(['1.5', ' ', '-0', '1e-1', '0x1', 'half', '.'])('the ratio %j is refused', (ratio) => {
  expect(refusal({ OTEL_TRACES_SAMPLER_ARG: ratio })).toContain('a number from 0 to 1');
});

test.each(['0', '1', '1.0', '.5', '0.001'])('the ratio %s is accepted', (ratio) => {
  expect(config({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: ratio })?.ratio).toBe(Number(ratio));
});

/** The problems of unusable settings. */
function refusal(env: Record<string, string>): string {
  try {
    config(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('they are usable');
}

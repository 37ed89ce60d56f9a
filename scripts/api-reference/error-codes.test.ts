import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '@gatehouse/proto/errors';
import { describe, expect, it } from 'vitest';
import { withErrorTables } from './error-tables.ts';

const ROOT = new URL('../../', import.meta.url);
const SOURCES = globSync(['kit/src/**/*.ts', 'gateway/src/**/*.ts', 'services/**/src/**/*.ts'], {
  cwd: fileURLToPath(ROOT),
}).filter((file) => !/node_modules|generated/.test(file));
const textOf = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

/** The first creates faults of a catalogue, the second decodes them, and ratelimit copies one with another path. */
const MAKE_FAULTS = [
  'kit/src/fault.ts',
  'kit/src/rpc/messages/fault-wire.ts',
  'services/ratelimit/src/envoy/errors.ts',
  'services/ratelimit/src/errors.ts',
];

describe('the catalogue of errors', () => {
  it('is written into docs/errors.md by `npm run generate`', () => {
    const page = textOf('docs/errors.md');
    expect(withErrorTables(page) === page, 'run `npm run generate`').toBe(true);
  });

  it('has every error of kit, the edge and the services', () => {
    expect(SOURCES.filter((file) => textOf(file).includes('new Fault(')).sort()).toEqual(MAKE_FAULTS);
  });

  it('has no error that nobody throws', () => {
    const source = SOURCES.map(textOf).join('');
    expect(Object.keys(ERRORS).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PROXIED, UNLIMITED, useSharedStack } from '../support/stack.ts';
import { type SchemathesisRun, schemathesisCommand, schemathesisFolder } from './schemathesis-program.ts';

const run = promisify(execFile);
const folder = await schemathesisFolder();
const PATIENCE = 1_200_000;

/** The parts of Schemathesis' report in JSON that are used here. */
interface Report {
  readonly complete: boolean;
  readonly operations: { readonly total: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly object[];
  readonly errors: readonly object[];
}

/** Runs Schemathesis. Returns its report, and all that it printed. */
async function test(how: SchemathesisRun): Promise<{ report: Report; output: string }> {
  const file = join(tmpdir(), `schemathesis-${process.pid}.json`);
  const options = [...how.options, '--report', 'json', '--report-json-path', file];
  const { args, cwd, env } = schemathesisCommand(folder ?? '', { ...how, options });
  try {
    const { stdout } = await run('python3', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }).catch(
      (failed: { stdout: string; stderr: string }) => ({ stdout: failed.stdout + failed.stderr }),
    );
    const report: Report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
    return { report, output: stdout };
  } finally {
    await rm(file, { force: true });
  }
}

describe.skipIf(folder === undefined)('Schemathesis finds no difference from gateway/openapi.json', () => {
  describe('without rate limits', () => {
    const stack = useSharedStack(UNLIMITED);

    it('in examples, boundary values, random data and chains of calls, valid and invalid', {
      timeout: PATIENCE,
    }, async () => {
      const options = ['--max-examples', '2', '--no-shrink'];
      const { report, output } = await test({ url: stack.url, coverage_share: 0.04, options });
      expect(report, output).toMatchObject({ complete: true, failures: [], errors: [] });
      expect(report.operations.tested).toBe(report.operations.total);
      expect(report.operations.total).toBeGreaterThan(110);
      expect(report.test_cases.generated).toBeGreaterThan(700);
    });
  });

  describe('with rate limits', () => {
    const stack = useSharedStack(PROXIED);

    it('in answers of 429', { timeout: PATIENCE }, async () => {
      const one = ['--include-operation-id', 'checkResetToken', '--max-examples', '60'];
      const options = ['--phases', 'fuzzing', '--warnings', 'off', ...one];
      const { report, output } = await test({ url: stack.url, coverage_share: 1, options });
      expect(report, output).toMatchObject({ complete: true, failures: [], errors: [] });
      expect(output).toMatch(/answers of 429: [1-9]/);
    });
  });
});

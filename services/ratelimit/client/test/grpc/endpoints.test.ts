import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Endpoints } from '../../src/grpc/endpoints.ts';

const FIVE_MINUTES_MS = 300_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('keeps its connection while the files of TLS cannot be read', async () => {
  const certificates = await testCertificates('exporter');
  const { ca } = certificates.files('exporter');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ca-'));
  const ca_file = join(folder, 'ca.pem');
  copyFileSync(ca, ca_file);
  const endpoints = new Endpoints('127.0.0.1:1', { ca_file });
  const first = endpoints.current();
  rmSync(ca_file);
  vi.advanceTimersByTime(FIVE_MINUTES_MS);
  expect(endpoints.current()).toBe(first);
  vi.advanceTimersByTime(FIVE_MINUTES_MS);
  endpoints.failed(first);
  expect(endpoints.current()).toBe(first);
  copyFileSync(ca, ca_file);
  vi.advanceTimersByTime(FIVE_MINUTES_MS);
  expect(endpoints.current()).not.toBe(first);
  endpoints.close();
  rmSync(folder, { recursive: true });
  certificates.close();
});

it('opens no connection after it was closed', () => {
  const endpoints = new Endpoints('127.0.0.1:1', undefined);
  const only = endpoints.current();
  endpoints.close();
  vi.advanceTimersByTime(FIVE_MINUTES_MS);
  expect(endpoints.current()).toBe(only);
});

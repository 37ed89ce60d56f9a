import { expect } from 'vitest';
import type { Answer } from './http.ts';

/** Expects 400 INVALID_FORM_BODY with exactly these entries. */
export function expectForm(answer: Answer, entries: Record<string, string>): void {
  const { code, errors } = answer.json<{
    code: string;
    errors?: { path: string; code: string; message: string }[];
  }>();
  expect([answer.status, code], answer.text).toEqual([400, 'INVALID_FORM_BODY']);
  for (const entry of errors ?? []) expect(Object.keys(entry).sort()).toEqual(['code', 'message', 'path']);
  expect(Object.fromEntries((errors ?? []).map((entry) => [entry.path, entry.code]))).toEqual(entries);
  expect(errors).toHaveLength(Object.keys(entries).length);
}

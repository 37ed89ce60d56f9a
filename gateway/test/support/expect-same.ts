import { expect } from 'vitest';
import type { Answer } from './http.ts';

/** Expects two answers to be indistinguishable. */
export function expectSame(answer: Answer, other: Answer): void {
  expect([answer.status, answer.text]).toEqual([other.status, other.text]);
  const headersOf = ({ headers }: Answer) =>
    [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  expect(headersOf(answer)).toEqual(headersOf(other));
}

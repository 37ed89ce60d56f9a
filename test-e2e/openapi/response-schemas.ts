import { expect } from 'vitest';
import type { Reply } from '../support/api.ts';
import type { PlacedOperation } from './document.ts';
import { schemaProblems } from './document-schema.ts';

/** Expects a documented success: its status, its content type, and a body that the schema accepts. */
export function expectDocumentedSuccess(
  place: PlacedOperation,
  reply: Pick<Reply, 'status' | 'headers' | 'text'>,
): void {
  const { operation } = place;
  const what = `${operation.operationId} answers ${reply.status} ${reply.text}`;
  const successes = Object.keys(operation.responses).filter((status) => /^[23]/.test(status));
  expect(successes, what).toContain(String(reply.status));
  const content = operation.responses[String(reply.status)]?.content;
  if (content === undefined) {
    expect(reply.text, `${operation.operationId} is documented without a body`).toBe('');
    return;
  }
  const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
  expect(Object.keys(content), what).toContain(type);
  const body: unknown = type === 'application/json' ? JSON.parse(reply.text) : reply.text;
  const problems = schemaProblems(place, ['responses', String(reply.status)], type, body);
  if (problems !== '') throw new Error(`${what}: ${problems}`);
}

import { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FastifyRequest } from 'fastify';
import { bodyOf } from '../body.ts';

const MAX_QUERY = 320;
/** Entries of a page. The services return one more, which shows whether there is a further page. */
const PAGE = 50;

/** A page of a list that a query selects. */
export interface ListQuery {
  readonly query: string;
  readonly before: string | undefined;
  readonly limit: number;
}

/** Reads `q` and `before`. @throws INVALID_FORM_BODY */
export function readListQuery(request: FastifyRequest): ListQuery {
  const form = new Form();
  const query = readParameter(form, request, 'q', MAX_QUERY).trim();
  const before = readBefore(form, request);
  form.check();
  return { query, before, limit: PAGE + 1 };
}

/** Reads a parameter; empty if it is absent. */
export function readParameter(form: Form, request: FastifyRequest, name: string, max: number): string {
  const value = bodyOf(request.query)[name] ?? '';
  if (typeof value !== 'string' || value.includes('\0')) {
    form.fail(name, 'INVALID_FORMAT', 'Must be one text.');
    return '';
  }
  return form.text(name, value, { max });
}

/** Reads the ID of `before`, the `next` of the page before. */
export function readBefore(form: Form, request: FastifyRequest): string | undefined {
  const before = readParameter(form, request, 'before', MAX_QUERY);
  if (before === '') return undefined;
  if (!isSnowflake(before)) form.fail('before', 'INVALID_FORMAT', 'Must be an ID.');
  return before;
}

/** Reads the ID in the path. @throws INVALID_FORM_BODY */
export function readPathId(request: FastifyRequest): string {
  const id = bodyOf(request.params).id;
  const form = new Form();
  if (typeof id !== 'string' || !isSnowflake(id)) form.fail('id', 'INVALID_FORMAT', 'Must be an ID.');
  form.check();
  return String(id);
}

/** A page of a list. `next` is absent on the last one. */
export function pageOf<T extends { readonly id: string }>(
  found: readonly T[],
  limit = PAGE,
): { readonly items: readonly T[]; readonly next?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return found.length > limit && last !== undefined ? { items, next: last.id } : { items };
}

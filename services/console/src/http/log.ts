import { Readable } from 'node:stream';
import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Deps } from '../deps.ts';
import { actionJson } from '../log/action-view.ts';
import { listActions } from '../store/actions.ts';
import { pageOf, readBefore, readParameter } from './query.ts';

const PAGE = 100;
const MAX_NAME = 128;
const EXPORT_BATCH = 500;

/** The operators' log: a page, and all of it. */
export function registerLog(app: FastifyInstance, { db }: Deps): void {
  app.get('/api/log', async (request) => {
    const form = new Form();
    const operator = readParameter(form, request, 'operator', MAX_NAME) || undefined;
    const before = readBefore(form, request);
    form.check();
    const rows = await listActions(db, { operator, before, limit: PAGE + 1 });
    const { items, next } = pageOf(rows, PAGE);
    return { items: items.map(actionJson), ...(next !== undefined && { next }) };
  });
  app.get('/api/log.jsonl', (_request, reply) =>
    reply
      .type('application/jsonl')
      .header('content-disposition', 'attachment; filename="operators-log.jsonl"')
      .send(Readable.from(allLines(db))),
  );
}

/** Oldest first, a batch at a time: the log is read as fast as the client takes it. */
async function* allLines(db: Pool): AsyncGenerator<string> {
  let after = '0';
  for (;;) {
    const rows = await listActions(db, { after, limit: EXPORT_BATCH });
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(actionJson(row))}\n`).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_BATCH) return;
    after = last.id;
  }
}

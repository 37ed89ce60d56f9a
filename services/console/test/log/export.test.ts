import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, newOperator, type Visitor } from '../visitor.ts';

const LINES = 10_000;
const LINE_BYTES = 8 * 1024;

let service: ConsoleUnderTest;
let command: Visitor;
let authorization: string;
beforeAll(async () => {
  service = await startConsole('console_export');
  command = await commandOf(service, 'tester');
  authorization = `Bearer ${(await newOperator(service, 'exporter')).token}`;
  await service.db.query(
    `INSERT INTO actions (operator, role, ip, action, target, reason, outcome, detail)
     SELECT 'many', 'read', '', 'test', 'test:' || n, '', 'started', jsonb_build_object('text', repeat('x', $2))
       FROM generate_series(1, $1::integer) AS n`,
    [LINES, LINE_BYTES],
  );
  // The log becomes a view that counts the lines which are read.
  await service.db.query(`
    CREATE SEQUENCE reads;
    CREATE FUNCTION count_read() RETURNS boolean LANGUAGE sql VOLATILE AS $$ SELECT nextval('reads') > 0 $$;
    ALTER TABLE actions RENAME TO kept_actions;
    CREATE VIEW actions AS SELECT * FROM kept_actions WHERE count_read()`);
});
afterAll(() => service.close());

/** Lines read since the last call. */
async function linesRead(): Promise<number> {
  const { rows } = await service.db.query<{ read: number }>(
    `SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::integer AS read FROM reads`,
  );
  await service.db.query(`SELECT setval('reads', 1, false)`);
  return rows[0]?.read ?? 0;
}

async function beginExport(): Promise<IncomingMessage> {
  const sent = request(`${service.url}/api/log.jsonl`, { headers: { authorization }, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage]; // the event's only argument
  return response;
}

/** Takes the time in which all lines could be read: other requests read as many. Returns what the export read. */
async function linesReadMeanwhile(): Promise<number> {
  for (let page = 0; page < LINES / 100; page++) await command.get('/api/log?operator=many');
  return (await linesRead()) - (LINES / 100) * 101;
}

it('the export is read as fast as its client takes it', async () => {
  await linesRead();
  const response = await beginExport();
  await once(response, 'readable'); // and no byte more is taken
  const read = await linesReadMeanwhile();
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(LINES / 2);
  const exported = await text(response);
  expect(exported.trimEnd().split('\n').length).toBeGreaterThan(LINES);
});

it('the export ends when its client hangs up', async () => {
  await linesRead();
  const response = await beginExport();
  await once(response, 'readable');
  response.destroy();
  expect(await linesReadMeanwhile()).toBeLessThan(LINES / 2);
});

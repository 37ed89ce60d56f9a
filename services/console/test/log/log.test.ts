import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, IN_TIME, startConsole } from '../start-console.ts';
import { commandOf, expectOk, type Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  service = await startConsole('console_log');
  command = await commandOf(service, 'writer');
});
afterAll(() => service.close());

/** A page of the log. */
interface Page {
  readonly items: readonly { readonly target: string }[];
  readonly next?: string;
}

describe('the operators’ log', () => {
  it.each([
    'DELETE FROM actions',
    'TRUNCATE actions',
    `UPDATE actions SET reason = 'another'`,
    `UPDATE actions SET outcome = 'failed: no'`,
    `UPDATE actions SET operator = 'another', outcome = 'done' WHERE outcome = 'started'`,
  ])('only grows: %s is refused', async (statement) => {
    await service.db.query(
      `INSERT INTO actions (operator, role, ip, action, target, reason, outcome)
       VALUES ('writer', 'admin', '', 'test', 'test', '', 'started')`,
    );
    await expect(service.db.query(statement)).rejects.toThrow(
      'the operators’ log only grows'.replace('’', "'"),
    );
  });

  it('stays when its operator is removed', async () => {
    const gone = await commandOf(service, 'gone');
    await expectOk(gone.post('/api/operators', { name: 'of-gone', role: 'read' }));
    await service.operators.removeOperator({ name: 'gone' }, IN_TIME);
    expect((await gone.get('/api/me')).status).toBe(401);
    const { body } = await command.get('/api/log?operator=gone');
    expect(body.items).toMatchObject([
      { operator: 'gone', action: 'operator.add', target: 'operator:of-gone' },
    ]);
  });

  it('is read page by page, and exported as JSON lines, oldest first', async () => {
    await service.db.query(
      `INSERT INTO actions (operator, role, ip, action, target, reason, outcome)
       SELECT 'many', 'read', '', 'test', 'test:' || n, '', 'started' FROM generate_series(1, 1200) AS n`,
    );
    const targets: string[] = [];
    let next: string | undefined;
    do {
      const { body } = await expectOk(
        command.get<Page>(`/api/log?operator=many${next === undefined ? '' : `&before=${next}`}`),
      );
      targets.push(...body.items.map(({ target }) => target));
      next = body.next;
    } while (next !== undefined);
    expect(targets).toEqual(Array.from({ length: 1200 }, (_, index) => `test:${1200 - index}`));

    const { text, headers } = await expectOk(command.get('/api/log.jsonl'));
    expect(headers.get('content-disposition')).toContain('operators-log.jsonl');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): { operator: string; target: string } => JSON.parse(line));
    expect(lines.filter(({ operator }) => operator === 'many').map(({ target }) => target)).toEqual(
      targets.toReversed(),
    );
  });

  it('has the operators’ own actions, with before and after, and no secret', async () => {
    const { token } = (
      await expectOk(
        command.post<{ token: string }>('/api/operators', { name: 'kim', role: 'read', with_token: true }),
      )
    ).body;
    await expectOk(command.send('PATCH', '/api/operators/kim', { role: 'admin' }));
    const { body, text } = await command.get<Page>('/api/log?operator=writer');
    expect(body.items.slice(0, 2)).toMatchObject([
      { action: 'operator.update', before: { role: 'read' }, after: { role: 'admin' }, outcome: 'done' },
      { action: 'operator.add', after: { name: 'kim', role: 'read' }, outcome: 'done' },
    ]);
    expect(text).not.toContain(token);
  });
});

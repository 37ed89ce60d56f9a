import type { Pool, PoolClient } from 'pg';

/** A line of the operators' log, before the action. */
export interface NewAction {
  readonly operator: string;
  readonly role: string;
  readonly ip: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
}

/** What an action did. */
export interface ActionEnd {
  /** "done"; "failed: " and why; or "unknown: " and why, if there was no answer. */
  readonly outcome: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly detail?: unknown;
}

/** A line of the log. */
export interface ActionRow extends NewAction, ActionEnd {
  readonly id: string;
  readonly at: Date;
  readonly ended_at: Date | null;
}

export interface ActionQuery {
  readonly operator?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

const COLUMNS = `id, at, operator, role, ip, action, target, reason, outcome, ended_at, before, after, detail`;

/** Writes the line of an action that begins. Returns its ID. */
export async function insertAction(db: Pool, line: NewAction): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'insert_action',
    text: `INSERT INTO actions (operator, role, ip, action, target, reason, outcome)
           VALUES ($1, $2, $3, $4, $5, $6, 'started') RETURNING id`,
    values: [line.operator, line.role, line.ip, line.action, line.target, line.reason],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the insert returned no row');
  return row.id;
}

/** Completes the line of an action. */
export async function completeAction(db: Pool, id: string, end: ActionEnd): Promise<void> {
  await db.query({
    name: 'complete_action',
    text: `UPDATE actions SET outcome = $2, ended_at = now(), before = $3, after = $4, detail = $5 WHERE id = $1`,
    values: [id, end.outcome, json(end.before), json(end.after), json(end.detail)],
  });
}

/** Writes the line of something that has happened. */
export async function insertEndedAction(db: Pool | PoolClient, line: NewAction & ActionEnd): Promise<void> {
  await db.query({
    name: 'insert_ended_action',
    text: `INSERT INTO actions (operator, role, ip, action, target, reason, outcome, ended_at, before, after, detail)
           VALUES ($1, $2, $3, $4, $5, $6, $7, now(), $8, $9, $10)`,
    values: [
      line.operator,
      line.role,
      line.ip,
      line.action,
      line.target,
      line.reason,
      line.outcome,
      json(line.before),
      json(line.after),
      json(line.detail),
    ],
  });
}

/** A page, newest first; with `after`, oldest first. */
export async function listActions(
  db: Pool,
  { operator, before, after, limit }: ActionQuery,
): Promise<ActionRow[]> {
  const filters = [
    ...(operator === undefined ? [] : [['operator =', operator] as const]),
    ...(before === undefined ? [] : [['id <', before] as const]),
    ...(after === undefined ? [] : [['id >', after] as const]),
  ];
  const where = filters.map(([condition], index) => `${condition} $${index + 2}`).join(' AND ');
  const order = after === undefined ? 'DESC' : 'ASC';
  const { rows } = await db.query<ActionRow>({
    name: `list_actions ${filters.map(([condition]) => condition).join(' ')}`,
    text: `SELECT ${COLUMNS} FROM actions ${where === '' ? '' : `WHERE ${where}`} ORDER BY id ${order} LIMIT $1`,
    values: [limit, ...filters.map(([, value]) => value)],
  });
  return rows;
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { operatorView } from '../operators/operator-view.ts';
import { listOperators } from '../store/operators.ts';

export function registerOperators(app: FastifyInstance, { db }: Deps): void {
  app.get('/api/operators', async () => ({
    items: (await listOperators(db)).map(operatorView),
  }));
}

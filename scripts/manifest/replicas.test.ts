import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { expect, it } from 'vitest';
import { withReplicaRules } from './replicas.ts';

const HEAD = 'groups:\n  - name: replicas_wanted\n    rules:\n';
const rule = (job: string, replicas: number): string =>
  `      - { record: job:replicas_wanted, expr: vector(${replicas}), labels: { job: ${job} } }\n`;

it('a service without a rule gets one, and numbers that operators set stay', () => {
  const [first = '', ...others] = SERVICE_NAMES;
  const completed = withReplicaRules(`${HEAD}${rule('envoy', 2)}${rule(first, 5)}`);
  expect(completed).toBe(
    `${HEAD}${rule('envoy', 2)}${rule(first, 5)}${others.map((name) => rule(name, 1)).join('')}`,
  );
  expect(withReplicaRules(completed)).toBe(completed);
});

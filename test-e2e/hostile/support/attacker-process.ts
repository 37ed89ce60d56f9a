/**
 * One attack in its own process, so that the attacker's CPU time is not measured as the stack's. Its priority is low,
 * as a real attacker has its own cores.
 */
import { getPriority, setPriority } from 'node:os';
import type { Attack, AttackOptions, Report, Target } from '../attacks/attack.ts';
import { ATTACKS, type AttackSpec } from '../attacks/index.ts';

export interface AttackOrder {
  readonly target: Target;
  readonly order: AttackSpec;
}

/** Below the stack's, which has the test's own; 19 is the lowest priority. */
const LOWER_BY = 5;
const LOWEST = 19;

process.on('disconnect', () => process.exit()); // the test process has ended
process.once('message', (message: AttackOrder) => {
  setPriority(Math.min(LOWEST, getPriority() + LOWER_BY));
  void run(message).then((report) => process.send?.(report, () => process.exit()));
});

function run({ target, order }: AttackOrder): Promise<Report> {
  // Each order has the options of the attack that it names.
  const attack = ATTACKS[order.attack] as Attack<AttackOptions>;
  return attack(target, order);
}

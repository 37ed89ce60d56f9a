/**
 * One attack, in a process of its own: what it costs to attack is not to be taken for what the attacked cost.
 * Its priority is low, as a real attacker has its own cores.
 */
import { getPriority, setPriority } from 'node:os';
import type { Attack, Report, Target, Timed } from '../attacks/attack.ts';
import { ATTACKS, type Order } from '../attacks/index.ts';

export interface AttackOrder {
  readonly target: Target;
  readonly order: Order;
}

/** Below that of the stack, which has the test's own. 19 is the lowest there is. */
const LOWER_BY = 5;
const LOWEST = 19;

process.on('disconnect', () => process.exit()); // the test is gone
process.once('message', (message: AttackOrder) => {
  setPriority(Math.min(LOWEST, getPriority() + LOWER_BY));
  void run(message).then((report) => process.send?.(report, () => process.exit()));
});

function run({ target, order }: AttackOrder): Promise<Report> {
  // An order holds the options of the attack that it names.
  const attack = ATTACKS[order.attack] as Attack<Timed>;
  return attack(target, order);
}

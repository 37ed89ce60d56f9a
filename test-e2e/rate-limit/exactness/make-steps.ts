import type { LimitName } from './limits.ts';
import type { PlannedCharge, Step } from './records.ts';

/** A repeatable sequence of integers below `bound`: the generator mulberry32. */
export function randomIntegers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** The steps of one caller: this many checks of all kinds, and what they return or release. */
export function makeSteps(caller: number, checks: number, seed: number): Step[] {
  const random = randomIntegers(seed * 1000 + caller);
  const steps: Step[] = [];
  const later: { readonly after: number; readonly step: Step }[] = [];

  const charge = (bucket: LimitName, identity: number, most = 1): PlannedCharge => [
    bucket,
    [`account:${identity}`],
    1 + random(most),
  ];
  const lease = (bucket: LimitName, identity: number, most: number): PlannedCharge => [
    bucket,
    [`account:${identity}`],
    1 + random(most),
    // A few IDs each, so that some checks renew a lease.
    `${caller}.${random(3)}`,
  ];
  /** Adds a check, and perhaps its refund, some steps later. */
  const add = (sets: PlannedCharge[][], refunds: readonly PlannedCharge[], percent: number) => {
    const of = steps.push({ check: sets }) - 1;
    if (random(100) < percent) later.push({ after: of + 1 + random(3), step: { refund: refunds, of } });
  };

  for (let made = 0; made < checks; made++) {
    const dice = random(100);
    if (dice < 30) {
      const fast = charge('leaky:fast', random(4), 3);
      add([[fast]], [fast], 10);
    } else if (dice < 45) {
      const slow = charge('leaky:slow', random(3), 2);
      add([[charge('leaky:fast', random(4))], [slow]], [slow], 20);
    } else if (dice < 60) {
      const both = [charge('leaky:slow', random(3)), charge('fixed:hour', random(3), 4)];
      add([both], both, 20);
    } else if (dice < 70) {
      const fixed = charge('fixed:second', random(3), 5);
      add([[fixed]], [fixed], 10);
    } else if (dice < 85) {
      const held = lease('lease:short', random(4), 3);
      add([[held]], [held], 60); // the others end by their expiry
    } else {
      const held = lease('lease:long', random(2), 4);
      add([[held, charge('leaky:tiny', random(8))]], [held], 100);
    }
    for (let i = later.length - 1; i >= 0; i--) {
      const due = later[i];
      if (due === undefined || due.after > steps.length) continue;
      later.splice(i, 1);
      steps.push(due.step);
    }
  }
  return [...steps, ...later.map(({ step }) => step)];
}

/** The steps of one caller around an outage: buckets with each failure policy. */
export function makeOutageSteps(caller: number, count: number): Step[] {
  const one = (bucket: LimitName, identity: string) => [bucket, [`account:${identity}`], 1] as const;
  return Array.from({ length: count }, (_, index): Step[] => {
    // After some time all callers go on to other buckets, so that an outage finds some without remembered denials.
    const turn = `outage:${Math.floor(index / 10)}`;
    // Two checks of a bucket of one, which nobody else charges.
    const fresh = { check: [[one('open:one', `${caller}.${index}`)]] };
    return [
      { check: [[one('leaky:slow', turn)]] },
      fresh,
      fresh,
      { check: [[one('closed:many', 'outage')]] },
      { check: [[one('fixed:hour', turn)]] },
      { check: [[[...one('lease:long', turn), `${caller}.${index}`]]] },
    ];
  }).flat();
}

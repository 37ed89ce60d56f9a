import fc from 'fast-check';
import { expect } from 'vitest';
import type { Oauth2 } from '../oauth2.ts';
import type { Answer, Model } from './model.ts';
import type { Service } from './service.ts';

type Command = fc.AsyncCommand<Model, Service>;

/** The responses of the service and of the model. */
export interface Outcome {
  readonly actual: Answer;
  readonly expected: Answer;
}

/**
 * A command with random choices, at either replica. Its subjects exist only when it runs, so the choices are positions
 * in lists of what was issued.
 */
export function command<C>(
  name: string,
  choices: fc.Arbitrary<C>,
  run: (model: Model, oauth2: Oauth2, chosen: C, service: Service) => Promise<Outcome>,
): fc.Arbitrary<Command> {
  return fc.tuple(fc.nat(1), choices).map(([replica, chosen]) => ({
    check: () => true,
    run: async (model, service) => {
      const oauth2 = service.replicas[replica];
      if (oauth2 === undefined) throw new Error('there is no second replica');
      const { actual, expected } = await run(model, oauth2, chosen, service);
      expect(actual, name).toEqual(expected);
      service.outcomes.add(`${name}: ${outcomeOf(actual)}`);
    },
    toString: () => `${name} at ${replica}: ${JSON.stringify(chosen)}`,
  }));
}

export function personOf({ people }: Model, index: number): string {
  const found = people[index];
  if (found === undefined) throw new Error('there is no such person');
  return found.id;
}

/** Introspection and prompt=none always succeed; their outcomes are distinguished. */
function outcomeOf(answer: Answer): string {
  if ('error' in answer) return answer.error;
  const { active, parameters } = answer.ok as { active?: boolean; parameters?: { error?: string } };
  if (active !== undefined) return active ? 'active' : 'inactive';
  return parameters?.error ?? 'ok';
}

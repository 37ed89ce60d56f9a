import { applyLoad } from './apply-load.ts';
import { checkStreams } from './check-streams.ts';
import { figuresOf, type StreamFigures } from './figures.ts';
import type { Scenario } from './scenario.ts';
import { idOf } from './world.ts';

export interface ScenarioResult {
  /** Differences and faults, as readable text. */
  readonly problems: readonly string[];
  readonly figures: StreamFigures;
}

/** Runs the scenario, and compares the readers' events with the log. */
export async function runScenario(scenario: Scenario): Promise<ScenarioResult> {
  const { database, world, replicas, readers } = scenario;
  const start = await database.states([...world.people, ...world.bots].map(idOf));
  const first = await database.lastEvent();
  const { answers, took_ms } = await applyLoad(scenario);
  const { problems, written, received } = await checkStreams(scenario, start, first);
  return { problems, figures: figuresOf({ replicas, readers, written, received, took_ms, answers }) };
}

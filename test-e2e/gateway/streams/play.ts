import { type Figures, figuresOf } from './figures.ts';
import type { Scene } from './scene.ts';
import { idOf } from './stage.ts';
import { problemsOf } from './verdict.ts';
import { work } from './work.ts';

export interface Played {
  /** Differences and faults, as readable text. */
  readonly problems: readonly string[];
  readonly figures: Figures;
}

/** Runs the scenario, and compares the readers' events with the log. */
export async function play(scene: Scene): Promise<Played> {
  const { database, stage, replicas, readers } = scene;
  const start = await database.states([...stage.people, ...stage.bots].map(idOf));
  const first = await database.lastEvent();
  const { answers, took_ms } = await work(scene);
  const { problems, written, heard } = await problemsOf(scene, start, first);
  return { problems, figures: figuresOf({ replicas, readers, written, heard, took_ms, answers }) };
}

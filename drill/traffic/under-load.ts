import { resourceStack } from '@gatehouse/kit/lifecycle';
import { Fleet, type FleetOptions } from '../fleet/fleet.ts';
import { Watchers } from '../sessions/watchers.ts';
import { mix } from './mix.ts';
import { populate } from './population.ts';
import { Traffic } from './traffic.ts';

export interface LoadOptions extends FleetOptions {
  readonly per_second: number;
  /** Sessions of the Gateway that receive events during the drill. */
  readonly sessions: number;
}

export interface UnderLoad {
  readonly fleet: Fleet;
  readonly load: Traffic;
  readonly watchers: Watchers;
}

/** Runs a drill on a fleet under steady load, with clients of the Gateway connected. */
export async function underLoad<T>(options: LoadOptions, act: (under: UnderLoad) => Promise<T>): Promise<T> {
  const resources = resourceStack();
  try {
    const fleet = await Fleet.start(options);
    resources.add('fleet', fleet.close);
    const picture = await populate(fleet.database_url, fleet.url);
    const watchers = await Watchers.start(fleet.url, fleet.database_url, options.sessions);
    resources.add('watchers', () => watchers.stop());
    const load = new Traffic(fleet.url, mix(picture), options.per_second);
    resources.add('load', () => load.stop());
    return await act({ fleet, load, watchers });
  } finally {
    await resources.close();
  }
}

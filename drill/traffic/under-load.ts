import { resourceStack } from '@gatehouse/kit/lifecycle';
import { type Fleet, type FleetOptions, startFleet } from '../fleet/fleet.ts';
import { startWatchers, type Watchers } from '../sessions/watchers.ts';
import { mix } from './mix.ts';
import { populate } from './population.ts';
import { type Traffic, traffic } from './traffic.ts';

export interface LoadOptions extends FleetOptions {
  readonly per_second: number;
  /** Of the Gateway, that watch. */
  readonly sessions: number;
}

export interface UnderLoad {
  readonly fleet: Fleet;
  readonly load: Traffic;
  readonly watchers: Watchers;
}

/** Runs a drill on a fleet that is asked steadily and watched. */
export async function underLoad<T>(options: LoadOptions, act: (under: UnderLoad) => Promise<T>): Promise<T> {
  const resources = resourceStack();
  try {
    const fleet = await startFleet(options);
    resources.add('fleet', fleet.close);
    const picture = await populate(fleet.database_url, fleet.url);
    const watchers = await startWatchers(fleet.url, fleet.database_url, options.sessions);
    resources.add('watchers', watchers.stop);
    const load = traffic(fleet.url, mix(picture), options.per_second);
    resources.add('load', load.stop);
    return await act({ fleet, load, watchers });
  } finally {
    await resources.close();
  }
}

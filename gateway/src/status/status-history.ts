type State = 'up' | 'down';

/** The body of /status.json. */
export interface StatusView {
  /** `up` if all services are, `down` if none is. */
  readonly status: 'up' | 'degraded' | 'down';
  /** ISO 8601. */
  readonly checked_at: string;
  readonly services: readonly {
    readonly name: string;
    readonly status: State;
    /** Since when this edge has seen this state, ISO 8601. */
    readonly since: string;
  }[];
}

/** Since when each service is in its state, as this process has seen it. */
export class StatusHistory {
  readonly #states = new Map<string, { readonly status: State; readonly since: string }>();

  record(services: Readonly<Record<string, boolean>>, now: Date): StatusView {
    const checked_at = now.toISOString();
    for (const [name, isUp] of Object.entries(services)) {
      const status = isUp ? 'up' : 'down';
      if (this.#states.get(name)?.status !== status) this.#states.set(name, { status, since: checked_at });
    }
    const states = [...this.#states].map(([name, state]) => ({ name, ...state }));
    return { status: overall(states), checked_at, services: states };
  }
}

function overall(states: readonly { readonly status: State }[]): StatusView['status'] {
  if (states.every(({ status }) => status === 'up')) return 'up';
  return states.some(({ status }) => status === 'up') ? 'degraded' : 'down';
}

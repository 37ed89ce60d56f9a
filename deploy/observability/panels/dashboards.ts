import type { DashboardSource } from './dashboard.ts';
import { edge } from './edge.ts';
import { overview } from './overview.ts';
import { ratelimit } from './ratelimit.ts';
import { realtime } from './realtime.ts';
import { services } from './services.ts';
import { webhooks } from './webhooks.ts';

/** The dashboards; `npm run generate` writes a file of each. */
export const DASHBOARDS: readonly DashboardSource[] = [
  overview,
  edge,
  services,
  ratelimit,
  webhooks,
  realtime,
];

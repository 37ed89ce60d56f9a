export const NEUTRAL = 0x5c6bc0;
const OPERATIONAL = 0x3ecf8e;
export const MAINTENANCE = 0x3b82f6;
const DEGRADED = 0xf5a623;
const PARTIAL_OUTAGE = 0xf97316;
const MAJOR_OUTAGE = 0xe23c39;

export interface PageStatus {
  readonly label: string;
  readonly color: number;
}

/** The statuses, keyed by their letters in upper case (docs/webhooks.md#statuses). */
const STATUSES: ReadonlyMap<string, PageStatus> = new Map([
  ['UP', { label: 'All systems operational', color: NEUTRAL }],
  ['HASISSUES', { label: 'Has issues', color: NEUTRAL }],
  ['OPERATIONAL', { label: 'Operational', color: OPERATIONAL }],
  ['UNDERMAINTENANCE', { label: 'Under maintenance', color: MAINTENANCE }],
  ['DEGRADEDPERFORMANCE', { label: 'Degraded performance', color: DEGRADED }],
  ['PARTIALOUTAGE', { label: 'Partial outage', color: PARTIAL_OUTAGE }],
  ['MAJOROUTAGE', { label: 'Major outage', color: MAJOR_OUTAGE }],
  ['INVESTIGATING', { label: 'Investigating', color: MAJOR_OUTAGE }],
  ['IDENTIFIED', { label: 'Identified', color: PARTIAL_OUTAGE }],
  ['MONITORING', { label: 'Monitoring', color: DEGRADED }],
  ['RESOLVED', { label: 'Resolved', color: OPERATIONAL }],
  ['NOTSTARTEDYET', { label: 'Scheduled', color: MAINTENANCE }],
  ['PLANNED', { label: 'Planned', color: MAINTENANCE }],
  ['INPROGRESS', { label: 'In progress', color: MAINTENANCE }],
  ['COMPLETED', { label: 'Completed', color: OPERATIONAL }],
]);

/** A known status in any spelling, such as `degraded_performance` and "Degraded Performance". */
export function findStatus(value: string): PageStatus | undefined {
  return STATUSES.get(value.toUpperCase().replace(/[^A-Z]+/g, ''));
}

/** A status; an unknown one is shown as sent. */
export function statusOf(value: string): PageStatus {
  return findStatus(value) ?? { label: value, color: NEUTRAL };
}

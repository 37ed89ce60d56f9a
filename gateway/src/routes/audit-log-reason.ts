/** The headers of routes whose change is in the audit log (docs/guilds.md#audit-log-reason). */
export const REASON_HEADER = { 'x-audit-log-reason': 'reason' } as const;

import type { DataExport } from '@gatehouse/proto/auth';
import type { DataExportRow } from '../store/data-export/data-exports.ts';

/** An export as shown to its account. */
export function dataExportView(found: DataExportRow | undefined): DataExport {
  if (found === undefined) return { status: 'none', progress: 0 };
  return {
    status: found.status,
    progress: found.progress,
    requested_at: found.requested_at.toISOString(),
    ready_at: found.ready_at?.toISOString() ?? null,
    expires_at: found.expires_at?.toISOString() ?? null,
    size: found.size,
    available_at: found.available_at.toISOString(),
  };
}

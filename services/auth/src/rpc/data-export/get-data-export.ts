import type { Handler } from '@gatehouse/kit/rpc';
import type { GetDataExportRequest, GetDataExportResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import { dataExportView } from '../../data-export/data-export-view.ts';
import type { Deps } from '../../deps.ts';
import { findDataExport } from '../../store/data-export/data-exports.ts';

export function getDataExport({ db }: Deps): Handler<GetDataExportRequest, GetDataExportResponse> {
  return async (_request, { caller }) => {
    const { account_id } = requireSession(caller);
    return { export: dataExportView(await findDataExport(db, account_id)) };
  };
}

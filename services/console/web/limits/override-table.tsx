import type { Override } from '@gatehouse/proto/ratelimit-admin';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { call } from '../api/call.ts';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { Until } from '../parts/when.tsx';
import { overrideText } from './override-text.ts';

/** Overrides, those that expire first at the front. */
export function OverrideTable(props: {
  overrides: readonly Override[];
  /** Whether all are of one identity, which the page names already. */
  isOfOne?: boolean;
  onDone: () => unknown;
}) {
  const { overrides, isOfOne = false, onDone } = props;
  return (
    <Table
      caption="Those that end first"
      columns={[...(isOfOne ? [] : ['Who']), 'Bucket', 'Limit', 'Lasts', 'By', 'Reason', 'Action']}
    >
      {overrides.map((override) => (
        <tr key={`${override.identity} ${override.bucket ?? ''}`}>
          {!isOfOne && (
            <td class="identity">
              <IdLink kind="identity" id={override.identity} />
            </td>
          )}
          <td>{override.bucket ? <code>{override.bucket}</code> : 'all'}</td>
          <td class="number">{overrideText(override)}</td>
          <td>
            <Until ms={override.expires_at_ms} />
          </td>
          <td>
            <bdi>{override.operator}</bdi>
          </td>
          <td class="prose">
            <bdi>{override.reason}</bdi>
          </td>
          <td>
            <ActionMenu actions={[removing(override)]} onDone={onDone} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function removing({ identity, bucket }: Override): OfferedAction {
  return {
    name: 'limit.remove-override',
    label: 'Remove',
    title: `Remove the override of ${identity}?`,
    submit: 'Remove',
    consequences: [`The normal limits apply to it again within a second${bucket ? ` in ${bucket}` : ''}.`],
    done: `The override of ${identity} is removed.`,
    act: async (reason) => {
      await call('DELETE', '/limits/overrides', { identity, ...(bucket && { bucket }), reason });
      return undefined;
    },
  };
}

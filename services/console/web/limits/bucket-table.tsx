import type { IdentityBucket } from '@gatehouse/proto/ratelimit-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { ActionMenu } from '../parts/action-menu.tsx';
import { countText, durationText } from '../text/numbers.ts';
import { resetting } from './reset.ts';

const US_PER_MS = 1_000;

/** The state of each bucket of an identity, those with the longest wait first. */
export function BucketTable(props: {
  identity: string;
  buckets: readonly IdentityBucket[];
  onDone: () => unknown;
}) {
  const { identity, buckets, onDone } = props;
  return (
    <Table caption="The longest wait first" columns={['Bucket', 'State', 'Left', 'Empty', 'Key', 'Action']}>
      {buckets.map(({ state, identities }) =>
        state ? (
          <tr key={`${state.bucket} ${identities.join(' ')}`}>
            <td>
              <code>{state.bucket}</code>
            </td>
            <td>
              {state.retry_after_us > 0 ? (
                <Badge kind="danger">{`denied for ${durationText(state.retry_after_us / US_PER_MS)}`}</Badge>
              ) : (
                <Badge>admitted</Badge>
              )}
            </td>
            <td class="number">
              {countText(state.remaining)} of {countText(state.limit)}
            </td>
            <td class="number">in {durationText(state.empty_after_us / US_PER_MS)}</td>
            <td>
              <code>{identities.join(', ')}</code>
            </td>
            <td>
              <ActionMenu actions={[resetting(identity, state.bucket)]} onDone={onDone} />
            </td>
          </tr>
        ) : null,
      )}
    </Table>
  );
}

import { Button } from '../../shared/ui/button.tsx';
import { Copyable } from '../../shared/ui/copyable.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { Status } from '../../shared/ui/status.tsx';

export function Messages() {
  return (
    <>
      <Notice>The mail is on its way.</Notice>
      <Status text="The test message is in the channel." />
      <Status kind="warning" text="Nothing was posted. The channel was deleted." />
      <Problem text="The server cannot be reached. Check your connection and try again." />
      <Copyable label="Client ID" text="1469823546728861696" />
      <Copyable label="Client secret" text="gh_example_of_a_secret_that_is_masked" isMasked />
    </>
  );
}

export function Loading() {
  return (
    <>
      <Skeleton />
      <Skeleton isRows lines={2} />
    </>
  );
}

export function Empty() {
  return (
    <EmptyState icon="webhook" action={<Button kind="primary">New webhook</Button>}>
      A webhook is an address to which other programs post messages. This guild has none yet.
    </EmptyState>
  );
}

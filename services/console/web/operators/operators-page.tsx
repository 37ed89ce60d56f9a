import type { Operator } from '@gatehouse/proto/console';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Button } from '@gatehouse/web/shared/ui/button.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { may, me } from '../api/me.ts';
import { Page } from '../frame/page.tsx';
import { When } from '../parts/when.tsx';
import { counted } from '../text/numbers.ts';
import { AddOperator } from './add-operator.tsx';
import { ChangeOperator } from './change-operator.tsx';
import { type OneTimeSecrets, SecretsDialog } from './secrets-dialog.tsx';

/** The operators, and for admins, what can be done about them. */
export function OperatorsPage() {
  const loaded = useLoaded(() => call<{ items: readonly Operator[] }>('GET', '/operators'), []);
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<Operator>();
  const [secrets, setSecrets] = useState<OneTimeSecrets>();
  const isAdmin = may('operator.update');
  return (
    <Page
      title="Operators"
      actions={
        isAdmin && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add an operator
          </Button>
        )
      }
    >
      {!isAdmin && <p class="quiet">An admin adds, changes and removes operators.</p>}
      <WhenLoaded loaded={loaded}>
        {({ items }) => <OperatorTable operators={items} change={isAdmin ? setChanged : undefined} />}
      </WhenLoaded>
      {isAdding && (
        <AddOperator onClose={() => setAdding(false)} onDone={loaded.reload} showSecrets={setSecrets} />
      )}
      {changed && (
        <ChangeOperator
          operator={changed}
          onClose={() => setChanged(undefined)}
          onDone={loaded.reload}
          showSecrets={setSecrets}
        />
      )}
      {secrets && <SecretsDialog secrets={secrets} onClose={() => setSecrets(undefined)} />}
    </Page>
  );
}

function OperatorTable(props: {
  operators: readonly Operator[];
  change: ((operator: Operator) => void) | undefined;
}) {
  const { operators, change } = props;
  const own = typeof me.value === 'object' ? me.value.name : '';
  const columns = ['Name', 'Role', 'Signs in by', 'Last seen', 'Created', ...(change ? ['Action'] : [])];
  return (
    <div class="card">
      <Table caption={counted(operators.length, 'operator')} columns={columns}>
        {operators.map((operator) => (
          <tr key={operator.name}>
            <td>
              <a href={`/log?operator=${encodeURIComponent(operator.name)}`}>{operator.name}</a>{' '}
              {operator.name === own && <Badge kind="neutral">you</Badge>}
            </td>
            <td>{operator.role}</td>
            <td>{factorsText(operator)}</td>
            <td>
              <When ms={operator.last_seen_at_ms} />
            </td>
            <td>
              <When ms={operator.created_at_ms} />
            </td>
            {change && (
              <td>
                <Button label={`Change ${operator.name}`} onClick={() => change(operator)}>
                  Change
                </Button>
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
  );
}

function factorsText({ totp, passkeys }: Operator): string {
  const factors = [
    ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : []),
    ...(totp ? ['password and code'] : []),
  ];
  return factors.length === 0 ? 'not set up yet' : factors.join(', ');
}

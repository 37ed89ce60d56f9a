import type { ClientSecret } from '@gatehouse/proto/oauth2';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';

/** The steps to exchange a secret without a gap. The list of secrets shows which are done. */
export function ExchangeSteps(props: {
  secrets: readonly ClientSecret[];
  add: () => Promise<unknown>;
  reload: () => Promise<unknown>;
}) {
  const { secrets } = props;
  const add = useAction(props.add);
  const reload = useAction(props.reload);
  const isAdded = secrets.length > 1;
  const isDeployed = isAdded && secrets[1]?.last_used_at != null;
  return (
    <>
      <h3>{i18n._('Exchange it without a gap')}</h3>
      <ol class="steps">
        <Step isDone={isAdded}>{i18n._('Add a second secret. Both work from then on.')}</Step>
        <Step isDone={isDeployed}>
          {i18n._('Copy the second one to where your application runs, and restart it.')}
        </Step>
        <Step isDone={false}>
          {i18n._(
            'Wait until the second secret has been used and the first is used no more. Then delete the first.',
          )}
        </Step>
      </ol>
      <div class="actions">
        {isAdded ? (
          <ActionButton action={reload}>{i18n._('See whether they were used')}</ActionButton>
        ) : (
          <ActionButton action={add}>{i18n._('Add a second secret')}</ActionButton>
        )}
      </div>
    </>
  );
}

function Step({ isDone, children }: { isDone: boolean; children: string }) {
  return (
    <li>
      {isDone && <strong>{i18n._('Done:')}</strong>} {children}
    </li>
  );
}

import { i18n } from '../../shared/i18n/i18n.ts';
import { SCOPE_NAMES, type Scope } from '../../shared/scopes.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { scopeDescription } from './scopes.ts';

export function ScopeBoxes(props: {
  scopes: ReadonlySet<Scope>;
  onScopes: (scopes: ReadonlySet<Scope>) => void;
}) {
  const { scopes, onScopes } = props;
  return (
    <fieldset>
      <legend>{i18n._('Scopes')}</legend>
      {SCOPE_NAMES.map((scope) => (
        <Checkbox
          key={scope}
          label={
            <>
              <code>{scope}</code> <span class="quiet">{scopeDescription(scope)}</span>
            </>
          }
          checked={scopes.has(scope)}
          onChecked={(checked) => {
            const others = new Set(scopes);
            others.delete(scope);
            onScopes(checked ? others.add(scope) : others);
          }}
        />
      ))}
    </fieldset>
  );
}

import { SCOPE_NAMES, type Scope } from '../../shared/scopes.ts';
import { Checkbox } from '../../shared/ui.tsx';
import { SCOPE_DESCRIPTIONS } from './scopes.ts';

export function ScopeBoxes(props: {
  scopes: ReadonlySet<Scope>;
  onScopes: (scopes: ReadonlySet<Scope>) => void;
}) {
  const { scopes, onScopes } = props;
  return (
    <fieldset>
      <legend>Scopes</legend>
      {SCOPE_NAMES.map((scope) => (
        <Checkbox
          key={scope}
          label={
            <>
              <code>{scope}</code> <span class="quiet">{SCOPE_DESCRIPTIONS[scope]}</span>
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

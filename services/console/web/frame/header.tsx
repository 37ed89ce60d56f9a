import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { call } from '../api/call.ts';
import { me } from '../api/me.ts';
import { SearchBox } from './search-box.tsx';

/** The head of every page: the search box, and who is signed in. */
export function Header() {
  const operator = me.value;
  const signOut = useAction(async () => {
    await call('POST', '/sign-out');
    me.value = 'nobody';
  });
  if (typeof operator !== 'object') return null;
  return (
    <header class="bar console-bar">
      <a class="brand" href="/">
        Gatehouse <span class="quiet">console</span>
      </a>
      <SearchBox />
      <div class="operator-menu">
        <span title={`Version ${operator.version}`}>
          <bdi>{operator.name}</bdi> <Badge kind="neutral">{operator.role}</Badge>
        </span>
        <button type="button" class="plain" onClick={() => void signOut.run()}>
          Sign out
        </button>
        <span role="alert" class="problem">
          {signOut.otherProblem()}
        </span>
      </div>
    </header>
  );
}

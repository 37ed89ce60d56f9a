import { printShown, type Shown } from '../../console/show-command.ts';
import { listOf, memberOf } from '../../json/members.ts';
import { cappedFactOf, factOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Accounts are counted up to here. */
const MOST_ACCOUNTS = 10_000;

/** Prints an application. */
export function showApp(id: string, options: { readonly json?: boolean }, runtime: Runtime): Promise<void> {
  return printShown({ path: `/applications/${id}`, shown }, options, runtime);
}

function shown(answer: unknown): Shown {
  const application = memberOf(answer, 'application');
  const redirects = listOf(application, 'redirect_uris').map(String).join(' ');
  return {
    facts: [
      ['ID', factOf(application, 'id')],
      ['name', factOf(application, 'name')],
      ['owner', ownerText(application)],
      ['created', timeOf(application, 'created_at_ms')],
      ['disabled', stoppedText(application, 'disablement')],
      ['redirect URIs', redirects === '' ? undefined : redirects],
      ['accounts', cappedFactOf(answer, MOST_ACCOUNTS, 'accounts')],
      ['requests in 24 h', factOf(answer, 'requests')],
      ['errors in 24 h', factOf(answer, 'errors')],
    ],
    parts: [],
  };
}

function ownerText(application: unknown): string | undefined {
  const owner = factOf(application, 'owner_id');
  return owner && `${owner}${factOf(application, 'owner_suspended') === 'yes' ? ' (suspended)' : ''}`;
}

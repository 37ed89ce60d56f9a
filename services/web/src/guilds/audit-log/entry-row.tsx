import type { User } from '@gatehouse/proto/auth';
import { formatTime } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { partsOf } from '../../shared/i18n/isolated.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { AccountPicture } from '../account-picture.tsx';
import { type ChangeWords, changeWords } from './change-words.ts';
import { type AuditEntry, type Names, timeOf } from './entry.ts';
import { sentenceOf } from './sentence.ts';

/** An entry: a sentence, its time and reason, and the changes as before and after. */
export function EntryRow(props: { entry: AuditEntry; author: User | undefined; names: Names }) {
  const { entry, author, names } = props;
  const changes = (entry.changes ?? []).flatMap((change) => changeWords(change, names));
  const time = timeOf(entry);
  return (
    <li>
      {author && <AccountPicture user={author} />}
      <div class="member-words">
        <p class="sentence">
          {partsOf(sentenceOf(entry, names)).map(({ at, text, isName }) =>
            isName ? <bdi key={at}>{text}</bdi> : text,
          )}
        </p>
        <time class="quiet" dateTime={time.toISOString()}>
          {formatTime(time)}
        </time>
        {entry.reason && (
          <p class="quiet">
            <Trans id="Reason: {reason}" values={{ reason: <bdi>{entry.reason}</bdi> }} />
          </p>
        )}
        {changes.length > 0 && (
          <dl class="changes">
            {changes.map((change) => (
              <Change key={change.label} change={change} />
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}

function Change({ change: { label, before, after } }: { change: ChangeWords }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {before !== undefined && (
          <del>
            <span class="unseen">{i18n._('before:')} </span>
            <bdi>{before}</bdi>
          </del>
        )}
        {before !== undefined && after !== undefined && <span class="arrow" aria-hidden="true" />}
        {after !== undefined && (
          <ins>
            <span class="unseen">{i18n._('after:')} </span>
            <bdi>{after}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}

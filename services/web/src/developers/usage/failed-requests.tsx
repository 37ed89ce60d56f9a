import type { FailedRequest } from '@gatehouse/proto/oauth2';
import { Ago } from '../../shared/ago.tsx';
import { copyText } from '../../shared/copy-text.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { showToast } from '../../shared/ui/toast.tsx';

/** The last requests that failed, the newest first. */
export function FailedRequests({ errors }: { errors: readonly FailedRequest[] }) {
  return (
    <section class="card" aria-labelledby="errors">
      <h2 id="errors">{i18n._('Last errors')}</h2>
      {errors.length === 0 ? (
        <p>{i18n._('No request has failed in the last 7 days.')}</p>
      ) : (
        <Table
          caption={i18n._(
            'The last requests with an error. The operators of this server find them by the request ID.',
          )}
          columns={[i18n._('Time'), i18n._('Request'), i18n._('Answer'), i18n._('Request ID')]}
        >
          {errors.map((error, index) => (
            <tr key={index}>
              <td>
                <Ago time={error.time} />
              </td>
              <td>
                <code dir="ltr">
                  {error.method} {error.route}
                </code>
              </td>
              <td>
                <a href={`/docs/errors#${error.code}`} dir="ltr">
                  {error.status} {error.code}
                </a>
              </td>
              <td>
                <code dir="ltr">{error.request_id}</code>{' '}
                <Button
                  label={i18n._('Copy the request ID {id}', { id: error.request_id })}
                  onClick={() => void copy(error.request_id)}
                >
                  {i18n._('Copy')}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

async function copy(request_id: string): Promise<void> {
  const isCopied = await copyText(request_id);
  showToast(isCopied ? i18n._('Copied') : i18n._('Select the text to copy it'));
}

import type { DataExport } from '@gatehouse/proto/auth';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { usePolled } from '../../shared/api/use-polled.ts';
import { formatNumber, formatTime } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { Section } from '../section.tsx';
import { useAnnouncement } from '../use-announcement.ts';
import { saveExport } from './save-export.ts';

const PATH = '/users/@me/export';

/** The export of everything that is stored about the account. */
export function DataExportSection() {
  const [announcement, announce] = useAnnouncement();
  const loaded = useLoaded(() => call<DataExport>('GET', PATH), []);
  const request = useAction(async () => {
    loaded.replace(await withSudo(() => call<DataExport>('POST', PATH, {})));
    announce(i18n._('Your data is being collected. You get a mail when the file is ready.'));
  });
  usePolled(loaded.reload, { isWanted: loaded.value?.status === 'preparing' });
  return (
    <Section title={i18n._('Your data')} announcement={announcement}>
      <p>
        {i18n._(
          'Get a file with everything that is stored about your account: messages, guilds, applications, pictures, sign-ins.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        {(state) => (
          <>
            <State state={state} />
            {state.status === 'ready' && <Download state={state} announce={announce} />}
            {mayRequest(state) && (
              <ActionButton action={request}>
                {state.status === 'none' ? i18n._('Request an export') : i18n._('Request a new export')}
              </ActionButton>
            )}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** One at a time, and one a day; after a failure at once. */
function mayRequest({ status, available_at }: DataExport): boolean {
  if (status === 'preparing') return false;
  return status !== 'ready' || Date.parse(available_at ?? '') <= Date.now();
}

function State({ state }: { state: DataExport }) {
  const { status, progress, expires_at, available_at } = state;
  if (status === 'preparing')
    return (
      <p>
        <label>
          {i18n._('Your data is being collected.')}{' '}
          <progress value={progress} max={100}>
            {formatNumber(progress)}
          </progress>
        </label>
      </p>
    );
  if (status === 'failed') return <p>{i18n._('The export failed. This is not your fault: try it again.')}</p>;
  if (status !== 'ready') return null;
  return (
    <>
      <p>
        {i18n._('The file is ready. It is deleted on {time}.', {
          time: formatTime(new Date(expires_at ?? 0)),
        })}
      </p>
      {!mayRequest(state) && (
        <p class="quiet">
          {i18n._('You can request the next one on {time}.', {
            time: formatTime(new Date(available_at ?? 0)),
          })}
        </p>
      )}
    </>
  );
}

function Download(props: { state: DataExport; announce: (text: string) => void }) {
  const { state, announce } = props;
  const save = useAction(async () => {
    await saveExport(state.size ?? 0);
    announce(i18n._('The file is saved by your browser.'));
  });
  const kilobytes = formatNumber(Math.ceil((state.size ?? 0) / 1024));
  return (
    <div class="field">
      <ActionButton action={save} kind="primary">
        {i18n._('Download ({kilobytes} KiB)', { kilobytes })}
      </ActionButton>
    </div>
  );
}

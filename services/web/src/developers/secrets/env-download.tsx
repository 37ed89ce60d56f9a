import { i18n } from '../../shared/i18n/i18n.ts';
import { saveFile } from '../../shared/save-file.ts';
import { type Environment, envFile } from './env-file.ts';

/** What the file holds. */
export function EnvHint() {
  return (
    <p class="hint">
      {i18n._(
        'The .env file has the settings of your program: the address of Gatehouse, the application ID, the first redirect URI, and the secrets that this page shows now.',
      )}
    </p>
  );
}

/** Downloads the `.env` file of an application. The browser makes it from what the page shows. */
export function EnvDownload({ environment }: { environment: Omit<Environment, 'base_url'> }) {
  const download = () => {
    const text = envFile({ ...environment, base_url: location.origin });
    // Browsers change a name that begins with a dot.
    saveFile(new Blob([text], { type: 'text/plain' }), 'gatehouse.env');
  };
  return (
    <button type="button" onClick={download}>
      {i18n._('Download the .env file')}
    </button>
  );
}

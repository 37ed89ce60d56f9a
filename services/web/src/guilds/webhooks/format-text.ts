import { i18n } from '../../shared/i18n/i18n.ts';
import { DIALECTS, type Dialect } from './webhook.ts';

/** The name of a format. */
export function formatText(dialect: Dialect): string {
  switch (dialect) {
    case 'webhook':
      return i18n._('Message');
    case 'chatcompat':
      return i18n._('Chat tool');
    case 'codehost':
      return i18n._('Code host');
    case 'statuspage':
      return i18n._('Status page');
  }
}

export function formatOptions() {
  return DIALECTS.map((dialect) => ({ value: dialect, text: formatText(dialect) }));
}

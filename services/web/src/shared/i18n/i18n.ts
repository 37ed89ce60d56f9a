import { setupI18n } from '@lingui/core';

/**
 * Translates: `i18n._('Sign out')`. The English text is the ID. Values and plurals are those of ICU MessageFormat:
 * `i18n._('{count, plural, one {# device} other {# devices}}', { count })`.
 *
 * Call it while rendering or later, not when a module is loaded: the language is not known yet.
 */
export const i18n = setupI18n({
  locale: 'en',
  messages: { en: {} },
  // A catalog has no entry for a text that stays as it is. Without `missing`, Lingui would warn of it in the console.
  ...(process.env.NODE_ENV === 'production' && { missing: (_language, id) => id }),
});

/** Vite takes imported stylesheets into the page. */
declare module '*.css';

/** The English texts of shared components by their IDs (vite.config.ts). */
declare module 'virtual:shared-texts' {
  export const sharedTexts: import('@lingui/core').Messages;
}

/** Vite takes imported stylesheets into the page. */
declare module '*.css';

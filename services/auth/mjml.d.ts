/** The parts of MJML that `npm run generate` uses; the packages have no types. */
declare module 'mjml-preset-core' {
  const preset: { readonly default: object };
  export default preset;
}

declare module 'mjml-core' {
  interface Options {
    readonly validationLevel: string;
    readonly keepComments: boolean;
    readonly presets: readonly object[];
  }
  const mjml: { readonly default: (source: string, options: Options) => Promise<{ readonly html: string }> };
  export default mjml;
}

import { Trans } from '../shared/i18n/trans.tsx';

/** A link to the guide with examples, which is in English. */
export function GuideLink() {
  return (
    <p>
      <Trans
        id="With complete examples: <0>Add “Sign in with Gatehouse” to a page</0>."
        components={[
          // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
          <a key="link" href="/docs/sign-in-with-gatehouse" />,
        ]}
      />
    </p>
  );
}

import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Copyable } from '../../shared/ui/copyable.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { challengeProblem, newPkcePair } from './pkce.ts';

/** The PKCE challenge of an authorization URL, with a generated pair to try. */
export function ChallengeField(props: {
  challenge: string;
  /** Whether the application is a public client, which proves itself by the verifier alone. */
  isRequired: boolean;
  onChallenge: (challenge: string) => void;
}) {
  const { challenge, isRequired, onChallenge } = props;
  const [verifier, setVerifier] = useState('');
  const make = useAction(async () => {
    const pair = await newPkcePair();
    setVerifier(pair.verifier);
    onChallenge(pair.challenge);
  });
  return (
    <>
      <Field
        label={i18n._('PKCE challenge (S256)')}
        hint={
          isRequired
            ? i18n._('The SHA-256 of a verifier that only your application knows, in base64url.')
            : i18n._(
                'The SHA-256 of a verifier that only your application knows, in base64url. Empty: no PKCE.',
              )
        }
        value={challenge}
        onValue={(text) => {
          setVerifier('');
          onChallenge(text);
        }}
        problem={challengeProblem(challenge)}
      />
      {verifier && <Copyable label={i18n._('Its verifier, to exchange the code')} text={verifier} />}
      <div class="field">
        <ActionButton action={make} kind="plain">
          {i18n._('Make a challenge to try')}
        </ActionButton>
      </div>
    </>
  );
}

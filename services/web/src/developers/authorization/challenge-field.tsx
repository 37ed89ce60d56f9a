import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { ActionButton, Copyable, Field } from '../../shared/ui.tsx';
import { challengeProblem, newPkcePair } from './pkce.ts';

/** The PKCE challenge of an authorization URL, with a generated pair to try. */
export function ChallengeField(props: { challenge: string; onChallenge: (challenge: string) => void }) {
  const { challenge, onChallenge } = props;
  const [verifier, setVerifier] = useState('');
  const make = useAction(async () => {
    const pair = await newPkcePair();
    setVerifier(pair.verifier);
    onChallenge(pair.challenge);
  });
  return (
    <>
      <Field
        label="PKCE challenge (S256)"
        hint="The SHA-256 of a verifier that only your application knows, in base64url. Empty: no PKCE."
        value={challenge}
        onValue={(text) => {
          setVerifier('');
          onChallenge(text);
        }}
        problem={challengeProblem(challenge)}
      />
      {verifier && <Copyable label="Its verifier, to exchange the code" text={verifier} />}
      <div class="field">
        <ActionButton action={make} kind="plain">
          Make a challenge to try
        </ActionButton>
      </div>
    </>
  );
}

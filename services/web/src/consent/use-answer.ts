import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Cancelled } from '../shared/api/cancelled.ts';
import { useAction } from '../shared/api/use-action.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { consentErrorText, guildErrorText } from './consent-error-text.ts';
import { type Choice, firstChoice, installationOf, isLocked } from './installation.ts';
import { type LoadedConsent, refuse } from './load-consent.ts';
import { type ConsentRequest, consentBody, type Installation } from './request.ts';

/** The user's choices and the two answers, of which only one can be in progress. */
export function useAnswer(request: ConsentRequest, consent: LoadedConsent) {
  const [choice, setChoice] = useState<Choice>(() => firstChoice(request, consent));
  const [problem, setProblem] = useState<{ readonly text: string } | undefined>(undefined);
  const failAtGuildField = (text: string) => {
    if (isLocked(request)) throw new UserFacingError(text); // a locked guild has no field
    setProblem({ text });
    throw new Cancelled();
  };
  const answering = useAction(async (isAllowed: boolean) => {
    if (!isAllowed) return leaveTo(await refuse(request));
    const installation = installationOf(request, consent, choice);
    if (installation === undefined) return failAtGuildField(i18n._('Choose a guild.'));
    const result = await allow(request, installation);
    if ('guildProblem' in result) return failAtGuildField(result.guildProblem);
    return leaveTo(result.redirect_to);
  });
  return {
    choice,
    onChoice: (chosen: Choice) => {
      setProblem(undefined);
      setChoice(chosen);
    },
    /** The error of the chosen guild. */
    problem,
    /** Any other error of an answer. */
    answerProblem: answering.otherProblem(),
    isBusy: answering.isBusy,
    allow: () => void answering.run(true),
    refuse: () => void answering.run(false),
  };
}

async function allow(request: ConsentRequest, installation: Installation) {
  try {
    const body = consentBody(request, installation);
    return await call<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', body);
  } catch (error) {
    const guildProblem = guildErrorText(error);
    if (guildProblem !== undefined) return { guildProblem };
    throw new UserFacingError(consentErrorText(error));
  }
}

/** Never resolves: the buttons stay busy until the browser leaves the page. */
function leaveTo(redirect_to: string): Promise<never> {
  location.assign(redirect_to);
  return new Promise(() => {});
}

import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Cancelled } from '../shared/api/cancelled.ts';
import { useAction } from '../shared/api/use-action.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { consentErrorText, guildInWords } from './consent-words.ts';
import { type Choice, firstChoice, installationOf, isLocked } from './installation.ts';
import { type Asked, refuse } from './load.ts';
import { type ConsentRequest, consentBody, type Installation } from './request.ts';

/** The user's choices and the two answers, of which only one can be in progress. */
export function useAnswer(request: ConsentRequest, asked: Asked) {
  const [choice, setChoice] = useState<Choice>(() => firstChoice(request, asked));
  const [problem, setProblem] = useState<{ readonly text: string } | undefined>(undefined);
  const atGuild = (text: string) => {
    if (isLocked(request)) throw new UserFacingError(text); // there is no list to show it at
    setProblem({ text });
    throw new Cancelled();
  };
  const answering = useAction(async (isAllowed: boolean) => {
    if (!isAllowed) return leaveTo(await refuse(request));
    const installation = installationOf(request, asked, choice);
    if (installation === undefined) return atGuild('Choose a guild.');
    const answer = await allow(request, installation);
    if ('not_there' in answer) return atGuild(answer.not_there);
    return leaveTo(answer.redirect_to);
  });
  return {
    choice,
    onChoice: (chosen: Choice) => {
      setProblem(undefined);
      setChoice(chosen);
    },
    /** The error of the chosen guild. */
    problem,
    /** Any other error. */
    failed: answering.problem,
    is_busy: answering.is_busy,
    allow: () => void answering.run(true),
    refuse: () => void answering.run(false),
  };
}

async function allow(request: ConsentRequest, installation: Installation) {
  try {
    const body = consentBody(request, installation);
    return await call<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', body);
  } catch (error) {
    const not_there = guildInWords(error);
    if (not_there !== undefined) return { not_there };
    throw new UserFacingError(consentErrorText(error));
  }
}

/** Never resolves, so nothing can be sent again until the page is left. */
function leaveTo(redirect_to: string): Promise<never> {
  location.assign(redirect_to);
  return new Promise(() => {});
}

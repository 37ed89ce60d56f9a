import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import type { PreparedRequest } from './prepared-request.ts';
import { sendRequest, type TryResponse } from './send-request.ts';
import { TryRecord } from './try-record.tsx';
import {
  currentRequest,
  exchangeRequest,
  introspectRequest,
  refreshRequest,
  revokeRequest,
  type Tokens,
  type TryRequest,
  userinfoRequest,
} from './try-requests.ts';

interface Exchange {
  readonly request: TryRequest;
  readonly response: TryResponse;
}

/** Exchanges the code, and then sends requests with the tokens, in any order. */
export function TryExchanges({ prepared, code }: { prepared: PreparedRequest; code: string }) {
  const { client_id, redirect_uri, verifier } = prepared;
  const [client_secret, setSecret] = useState(prepared.client_secret);
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [tokens, setTokens] = useState<Tokens>();
  const isPublic = prepared.client_secret === '';
  const client = { client_id, ...(!isPublic && { client_secret: client_secret.trim() }) };

  const action = useAction(async (request: TryRequest) => {
    const response = await sendRequest(request);
    setExchanges((before) => [...before, { request, response }]);
    const { access_token, refresh_token } = response.body;
    if (typeof access_token === 'string' && typeof refresh_token === 'string')
      setTokens({ access_token, refresh_token });
  });
  const exchange = () => action.run(exchangeRequest(client, { code, redirect_uri, code_verifier: verifier }));
  useEffect(() => void exchange(), []);

  const uses = tokens && [
    userinfoRequest(tokens),
    currentRequest(tokens),
    introspectRequest(client, tokens),
    refreshRequest(client, tokens),
    revokeRequest(client, tokens),
  ];
  return (
    <>
      {exchanges.map(({ request, response }, index) => (
        <TryRecord key={index} number={index + 3} request={request} response={response} />
      ))}
      <Problem text={action.otherProblem()} />
      {uses ? (
        <section class="card" aria-labelledby="uses">
          <h2 id="uses">{i18n._('Use the tokens')}</h2>
          <div class="actions">
            {uses.map((request) => (
              <button
                key={request.title}
                type="button"
                aria-disabled={action.isBusy}
                onClick={() => void action.run(request)}
              >
                {request.title}
              </button>
            ))}
          </div>
        </section>
      ) : (
        !action.isBusy &&
        !isPublic && <RetryExchange secret={client_secret} onSecret={setSecret} exchange={exchange} />
      )}
    </>
  );
}

/** A failed client authentication does not consume the code. */
function RetryExchange(props: {
  secret: string;
  onSecret: (secret: string) => void;
  exchange: () => Promise<void>;
}) {
  const { secret, onSecret, exchange } = props;
  const action = useAction(exchange);
  return (
    <section class="card" aria-labelledby="again">
      <h2 id="again">{i18n._('No tokens yet')}</h2>
      <p>{i18n._('If the secret was wrong, the code still works: correct the secret and exchange again.')}</p>
      <Form action={action} submit={i18n._('Exchange again')}>
        <Field label={i18n._('Client secret')} type="password" value={secret} onValue={onSecret} />
      </Form>
    </section>
  );
}

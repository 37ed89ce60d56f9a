import type { Example } from '../examples/examples.ts';
import type { OpenApi, Operation, Parameter } from '../openapi.ts';
import { sendableOf } from '../sendable.ts';
import { Code, Text } from './html.tsx';
import { Credentials, Limits } from './limits.tsx';
import { Member } from './members.tsx';
import { Body, Errors, Success } from './responses.tsx';

interface OperationPageProps {
  readonly document: OpenApi;
  readonly operation: Operation;
  readonly examples: readonly Example[];
  readonly error_codes: ReadonlySet<string>;
}

export function OperationPage({ document, operation, examples, error_codes }: OperationPageProps) {
  const { method, path, description = operation.summary } = operation;
  const sendable = sendableOf(operation);
  return (
    <>
      <p class="endpoint">
        <span class="verb" data-verb={method}>
          {method}
        </span>{' '}
        <code>/api/v1{path}</code>
      </p>
      <p>
        <Text markdown={description} />
      </p>
      <div class="columns">
        <div class="beside">
          <Examples examples={examples} />
          {sendable && <div id="docs-send" data-operation={JSON.stringify(sendable)} />}
        </div>
        <div>
          <Credentials operation={operation} />
          <Request document={document} operation={operation} />
          <h2 id="response">Response</h2>
          <Success document={document} operation={operation} />
          <h2 id="errors">Errors</h2>
          <Errors document={document} operation={operation} error_codes={error_codes} />
          <Limits operation={operation} />
        </div>
      </div>
    </>
  );
}

const PLACES: Readonly<Record<Parameter['in'], string>> = {
  path: 'Path',
  query: 'Query',
  header: 'Headers',
};

function Request({ document, operation }: { document: OpenApi; operation: Operation }) {
  const { parameters = [], requestBody } = operation;
  const bodies = Object.entries(requestBody?.content ?? {});
  const schema = bodies[0]?.[1].schema;
  return (
    <>
      {Object.entries(PLACES).map(([place, heading]) => {
        const ofPlace = parameters.filter((one) => one.in === place);
        return ofPlace.length === 0 ? null : (
          <section key={place}>
            <h2 id={place}>{heading}</h2>
            <ul class="members">
              {ofPlace.map(({ name, schema: type, description, required }) => (
                <li key={name}>
                  <Member
                    name={name}
                    schema={type}
                    description={description}
                    mark={required === true && place !== 'path' ? 'required' : undefined}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {requestBody && (
        <section>
          <h2 id="body">Body</h2>
          <p class="quiet">
            {bodies.map(([type]) => type).join(' or ')}
            {requestBody.required !== true && ', optional'}
            {requestBody['x-max-bytes'] !== undefined && `, at most ${bytes(requestBody['x-max-bytes'])}`}
          </p>
          {schema && <Body document={document} schema={schema} isRequest={true} />}
        </section>
      )}
    </>
  );
}

function bytes(count: number): string {
  return count >= 2 ** 20 ? `${+(count / 2 ** 20).toFixed(1)} MiB` : `${count / 2 ** 10} KiB`;
}

function Examples({ examples }: { examples: readonly Example[] }) {
  return (
    <section class="examples" aria-labelledby="example">
      <h2 id="example">Example</h2>
      <fieldset class="languages">
        <legend class="unseen">Language</legend>
        {examples.map(({ id, label }, index) => (
          <label key={id}>
            <input type="radio" name="language" value={id} checked={index === 0} />
            {label}
          </label>
        ))}
      </fieldset>
      {examples.map(({ id, html }) => (
        <div key={id} class="example" data-language={id}>
          <Code html={html} />
        </div>
      ))}
      <div id="docs-example" />
    </section>
  );
}

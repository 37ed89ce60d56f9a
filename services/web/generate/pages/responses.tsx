import { type OpenApi, type Operation, responseOf, type Schema, type Schemas } from '../openapi.ts';
import { typeText } from '../schema-type.ts';
import { Text } from './html.tsx';
import { Members, objectsIn } from './members.tsx';

interface SuccessProps {
  readonly document: OpenApi;
  readonly operation: Operation;
}

interface ErrorsProps extends SuccessProps {
  /** The codes that have a row in the guide to errors. */
  readonly error_codes: ReadonlySet<string>;
}

/** The answers of success, with their members. */
export function Success({ document, operation }: SuccessProps) {
  const answers = Object.entries(operation.responses).filter(([status]) => status < '400');
  return (
    <>
      {answers.map(([status, answer]) => {
        const [type, media] = Object.entries(responseOf(document, answer).content ?? {})[0] ?? [];
        return (
          <section key={status}>
            <h3>
              {status} <span class="type">{bodyText(status, type, media?.schema)}</span>
            </h3>
            {media?.schema && <Body document={document} schema={media.schema} isRequest={false} />}
          </section>
        );
      })}
    </>
  );
}

function bodyText(status: string, type: string | undefined, schema: Schema | undefined): string {
  if (type === undefined) return status === '204' ? 'no body' : 'an empty body';
  return schema === undefined ? type : `${typeText(schema)}, ${type}`;
}

/** The members of a body. */
export function Body(props: { document: Schemas; schema: Schema; isRequest: boolean }) {
  const { document, schema, isRequest } = props;
  const objects = objectsIn(schema, document);
  return (
    <>
      {objects.map(({ name, object }) => (
        <Members key={name} document={document} schema={object} isRequest={isRequest} around={[name]} />
      ))}
    </>
  );
}

/** The codes of each status of an error. Those that other operations have too are in a part of their own. */
export function Errors({ document, operation, error_codes }: ErrorsProps) {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => status >= '400')
    .map(([status, answer]): ErrorRow => {
      const { description = '' } = responseOf(document, answer);
      return { status, text: linked(description, error_codes), isShared: answer.$ref !== undefined };
    });
  const [own, shared] = [rows.filter(({ isShared }) => !isShared), rows.filter(({ isShared }) => isShared)];
  return (
    <>
      {own.length > 0 && <ErrorRows rows={own} />}
      {shared.length > 0 && (
        <details open={own.length === 0}>
          <summary>
            Errors that other operations have too: {shared.map(({ status }) => status).join(', ')}
          </summary>
          <ErrorRows rows={shared} />
        </details>
      )}
    </>
  );
}

interface ErrorRow {
  readonly status: string;
  /** Markdown. */
  readonly text: string;
  readonly isShared: boolean;
}

function ErrorRows({ rows }: { rows: readonly ErrorRow[] }) {
  return (
    <dl class="errors">
      {rows.map(({ status, text }) => (
        <div key={status}>
          <dt>{status}</dt>
          <dd>
            <Text markdown={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Codes link to their row in the guide. Those of OAuth2 have a rule instead of rows. */
function linked(description: string, error_codes: ReadonlySet<string>): string {
  return description.replaceAll(/`([A-Z][A-Z0-9_]+)`/g, (_, code: string) => {
    return `[\`${code}\`](/docs/errors#${error_codes.has(code) ? code : 'oauth2-errors'})`;
  });
}

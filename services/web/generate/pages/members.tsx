import { nameOf, type Schema, type Schemas, schemaAt } from '../openapi.ts';
import { boundsOf, typeText } from '../schema-type.ts';
import { Text } from './html.tsx';

/** Objects inside objects are shown to this depth; deeper ones by their name alone. */
const MAX_DEPTH = 4;

interface MembersProps {
  readonly document: Schemas;
  readonly schema: Schema;
  /** Whether a request has these members: then required ones are marked, else optional ones. */
  readonly isRequest: boolean;
  /** The names of the schemas around this one. */
  readonly around?: readonly string[];
}

/** The members of an object, each with its type and its rules, and those of objects inside it. */
export function Members({ document, schema, isRequest, around = [] }: MembersProps) {
  const { properties = {}, required = [] } = schema;
  return (
    <ul class="members">
      {Object.entries(properties).map(([name, member]) => (
        <li key={name}>
          <Member name={name} schema={member} mark={markOf(required.includes(name), isRequest)} />
          <Inside document={document} schema={member} isRequest={isRequest} around={around} />
        </li>
      ))}
    </ul>
  );
}

function markOf(isRequired: boolean, isRequest: boolean): string | undefined {
  if (isRequest) return isRequired ? 'required' : undefined;
  return isRequired ? undefined : 'may be absent';
}

/** A name with its type, its bounds and its description: of a member, or of a parameter. */
export function Member(props: {
  name: string;
  schema: Schema;
  mark?: string | undefined;
  description?: string | undefined;
}) {
  const { name, schema, mark, description = schema.description } = props;
  const bounds = boundsOf(schema);
  return (
    <>
      <p class="member">
        <code>{name}</code> <span class="type">{typeText(schema)}</span>
        {mark !== undefined && <strong class="mark">{mark}</strong>}
      </p>
      {description && (
        <p class="about">
          <Text markdown={description} />
        </p>
      )}
      {bounds.length > 0 && <p class="bounds">{bounds.join(' · ')}</p>}
    </>
  );
}

/** The members of the objects that a member has or contains. */
function Inside({ document, schema, isRequest, around = [] }: MembersProps) {
  return (
    <>
      {objectsIn(schema, document).map(({ name, object }) =>
        around.includes(name) || around.length >= MAX_DEPTH ? null : (
          <details key={name} class="inside">
            <summary>{name === '' ? 'Its members' : `Members of ${name}`}</summary>
            <Members document={document} schema={object} isRequest={isRequest} around={[...around, name]} />
          </details>
        ),
      )}
    </>
  );
}

interface NamedObject {
  /** Empty if the schema is not a component. */
  readonly name: string;
  readonly object: Schema;
}

/** The objects with members that a schema is, contains as items, or allows as an alternative. */
export function objectsIn(schema: Schema, document: Schemas): NamedObject[] {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return objectsIn(schemaAt(document, schema.$ref), document).map(({ object }) => ({ name, object }));
  }
  if (schema.properties !== undefined) return [{ name: '', object: schema }];
  if (schema.items !== undefined) return objectsIn(schema.items, document);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  return parts.flatMap((part) => objectsIn(part, document));
}

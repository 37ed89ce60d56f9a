import { mount, Page } from '../../shared/page.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Appearance } from './appearance.tsx';
import { Dialogs, Toasting } from './dialogs.tsx';
import { Buttons, Inputs } from './inputs.tsx';
import { Lists, Names } from './lists.tsx';
import { Empty, Loading, Messages } from './messages.tsx';

mount(<Components />);

/** Every component of the design system, in each of its states (docs/web.md#design-system). */
function Components() {
  return (
    <Page title="Components" isWide>
      <p>The parts of all pages, in each of their states. They are in services/web/src/shared/ui.</p>
      <Card title="Appearance">
        <Appearance />
      </Card>
      <Card title="Button">
        <Buttons />
      </Card>
      <Card title="Field, TextArea, Select, Checkbox, Switch">
        <Inputs />
      </Card>
      <Card title="Dialog and Form">
        <Dialogs />
      </Card>
      <Card title="Toast">
        <Toasting />
      </Card>
      <Card title="Notice, Problem, Copyable">
        <Messages />
      </Card>
      <Card title="Tabs, Rows, Table, Badge">
        <Lists />
      </Card>
      <Card title="Avatar and Name">
        <Names />
      </Card>
      <Card title="Skeleton">
        <Loading />
      </Card>
      <Card title="EmptyState">
        <Empty />
      </Card>
    </Page>
  );
}

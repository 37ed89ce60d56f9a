import { mount } from '../shared/page.tsx';
import { Home } from './home.tsx';
import { readOutcome } from './outcome.ts';

const outcome = readOutcome(location.search);
// A code is a credential, and this page does not need it.
if (outcome !== undefined) history.replaceState(null, '', '/');

mount(<Home outcome={outcome} />);

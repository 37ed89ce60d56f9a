import { mount } from '../shared/page.tsx';
import { Home } from './home.tsx';
import { readOutcome } from './outcome.ts';

const outcome = readOutcome(location.search);
// A code is a secret, and nobody needs it here.
if (outcome !== undefined) history.replaceState(null, '', '/');

mount(<Home outcome={outcome} />);

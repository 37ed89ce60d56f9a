import { mount } from '../shared/page.tsx';
import { Consent } from './consent.tsx';
import { readRequest } from './request.ts';

// Who comes back from where the answer led finds the question, not the page as it was left.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

mount(<Consent request={readRequest(location.search)} />);

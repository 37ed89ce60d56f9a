import { mount } from '../shared/page.tsx';
import { Consent } from './consent.tsx';
import { readRequest } from './request.ts';

// On a return by the back button, shows the question again instead of the page as it was left.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

mount(<Consent request={readRequest(location.search)} />);

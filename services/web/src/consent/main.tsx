import { mount } from '../shared/page.tsx';
import { Consent } from './consent.tsx';
import { readRequest } from './request.ts';

// Reloads after a return by the back button, so that the question is asked anew.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

mount(<Consent request={readRequest(location.search)} />);

import { useAnyStack } from '../support/stack.ts';
import { authorizationHeader } from './authorization-header.ts';
import { brokenHttp } from './broken-http.ts';
import { wrongIds } from './ids.ts';
import { jsonBodies } from './json-bodies.ts';
import { responseHeaders } from './response-headers.ts';

const stack = useAnyStack();

wrongIds(stack);
authorizationHeader(stack);
jsonBodies(stack);
responseHeaders(stack);
brokenHttp(stack);

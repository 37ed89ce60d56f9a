import { mount, Page } from '../shared/page.tsx';

mount(
  <Page title="Page not found">
    <p>There is no page at this address. Check its spelling, or begin at one of these.</p>
    <ul>
      <li>
        <a href="/">The start page</a>
      </li>
      <li>
        <a href="/account">Your account</a>
      </li>
      <li>
        <a href="/developers">For developers</a>
      </li>
      <li>
        <a href="/docs">Documentation</a>
      </li>
    </ul>
  </Page>,
);

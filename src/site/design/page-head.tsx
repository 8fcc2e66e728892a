/** Renders the head of a page: its title, and a sentence about it. */
import type { Child } from 'hono/jsx';

interface PageHeadProps {
  title: string;
  /** One sentence about the page. */
  lead?: Child;
  /** Links to the page's parents, above the title. */
  above?: Child;
  children?: Child;
}

export const PageHead = ({ title, lead, above, children }: PageHeadProps) => (
  <div class="page-head">
    {above}
    <h1>{title}</h1>
    {lead && <p class="lead">{lead}</p>}
    {children}
  </div>
);

/** Renders code with a copy button. */
import type { HtmlEscapedString } from 'hono/utils/html';
import { Scroll } from './scroll.tsx';

export interface CodeBlockProps {
  /** Plain text, or HTML with syntax colors. */
  code: string | HtmlEscapedString | Promise<HtmlEscapedString>;
  /** The name of the code in the button's label, such as `the link` in "Copy: the link". */
  what: string;
  /** Whether long lines are wrapped instead of scrolled. */
  wrap?: boolean;
}

export function CodeBlock({ code, what, wrap = false }: CodeBlockProps) {
  return (
    <div class="codeblock">
      <Scroll label={what}>
        <pre class={wrap ? 'wrap' : undefined}>
          <code>{code}</code>
        </pre>
      </Scroll>
      <button type="button" class="small" data-copy="" aria-label={`Copy: ${what}`}>
        Copy
      </button>
    </div>
  );
}

/** Renders code with a copy button. */
import type { HtmlEscapedString } from 'hono/utils/html';
import { Scroll } from './scroll.tsx';

export interface CodeBlockProps {
  /** A text, or HTML with colors. */
  code: string | HtmlEscapedString | Promise<HtmlEscapedString>;
  /** What the label of the button calls the code, such as `the link` in "Copy: the link". */
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

/** preview_markdown: shows Markdown and its rendering. */
import { raw } from 'hono/html';
import { Scroll } from '../design/scroll.tsx';
import { textHtml } from '../markdown.ts';

const SAMPLE = `# A heading

Some **bold** and *italic* text, a [link](https://example.com) and \`code\`.

- [x] a task that is done
- [ ] one that is not

| Tool | What it does |
| --- | --- |
| preview_markdown | shows this |
`;

export function PreviewMarkdown() {
  return (
    <form id="form" class="workbench">
      <div class="card stack">
        <div class="field">
          <label for="markdown">Markdown</label>
          <textarea
            id="markdown"
            class="code"
            rows={18}
            spellcheck={false}
            aria-describedby="markdown-hint"
          >
            {SAMPLE}
          </textarea>
          <span class="hint" id="markdown-hint">
            The preview shows raw HTML as text and does not load images. The copied HTML contains
            the images.
          </span>
        </div>
      </div>
      <div class="card stack">
        <h2 class="label">Preview</h2>
        <div id="preview" class="prose">
          {raw(textHtml(SAMPLE))}
        </div>
        <details>
          <summary>HTML</summary>
          <div class="codeblock">
            <Scroll label="The HTML">
              <pre class="wrap">
                <code id="html" />
              </pre>
            </Scroll>
            <button type="button" class="small" data-copy="html" aria-label="Copy: the HTML">
              Copy
            </button>
          </div>
        </details>
      </div>
    </form>
  );
}

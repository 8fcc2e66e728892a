/** Runs preview_markdown in the browser. It shows raw HTML as text, and loads no images. */
import { githubMarkdown } from '../github-markdown.ts';
import { markdownWith } from '../markdown-with.ts';
import { byId } from './parts/elements.ts';
import { saveTexts } from './parts/saved-texts.ts';

const text = byId<HTMLTextAreaElement>('markdown');
const preview = byId('preview');

/** Matches HTTP URLs, mailto URLs, and relative URLs, which have no colon before the first slash, `?` or `#`. */
const SAFE = /^(?:https?:|mailto:|[^:/?#]*(?:[/?#]|$))/i;

// Headings get no ids, because an id derived from the text could duplicate one on the page.
const rules = { images: SAFE, ids: null };
const markdown = markdownWith({
  ...rules,
  // A relative link would lead to a page of this site.
  links: /^(https?:|mailto:|#)/i,
  extensions: [githubMarkdown()],
});
const plainMarkdown = markdownWith({
  ...rules,
  links: SAFE,
  isPlain: true,
  extensions: [githubMarkdown()],
});

function update(): void {
  preview.innerHTML = markdown(text.value);
  byId('html').textContent = plainMarkdown(text.value);
  for (const box of preview.querySelectorAll('input')) box.ariaLabel = 'Task';
}

byId('form').addEventListener('submit', (event) => event.preventDefault());
text.addEventListener('input', update);
saveTexts([text]);
update();

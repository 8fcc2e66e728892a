/** Runs preview_markdown in the browser. It renders like the server: without raw HTML and images. */
import { markdownWith } from '../markdown-with.ts';
import { byId } from './parts/elements.ts';
import { saveTexts } from './parts/saved-texts.ts';

const text = byId<HTMLTextAreaElement>('markdown');
const preview = byId('preview');

// Headings get no ids, because an id from the text could equal one of the page.
const rules = { links: /^(https?:|mailto:|#)/i, ids: null };
const markdown = markdownWith(rules);
const plainMarkdown = markdownWith({ ...rules, isPlain: true });

function update(): void {
  preview.innerHTML = markdown(text.value);
  byId('html').textContent = plainMarkdown(text.value);
  for (const box of preview.querySelectorAll('input')) box.ariaLabel = 'Task';
}

byId('form').addEventListener('submit', (event) => event.preventDefault());
text.addEventListener('input', update);
saveTexts([text]);
update();

/** preview_markdown in the browser: rendered as on the server, so that no raw HTML and no foreign picture comes through. */
import './marked.js';
import { markdownWith } from './markdown-with.js';

const text = document.getElementById('markdown');
const preview = document.getElementById('preview');
const html = document.getElementById('html');

const markdown = markdownWith(globalThis.marked.Marked, {
  links: /^(https?:|mailto:|#)/i,
  // An id of the text's could be one of the page's.
  ids: null,
});

function update() {
  const rendered = markdown(text.value);
  preview.innerHTML = rendered;
  html.textContent = rendered;
  for (const box of preview.querySelectorAll('input')) box.setAttribute('aria-label', 'Task');
}

document.getElementById('form').addEventListener('submit', (event) => event.preventDefault());
text.addEventListener('input', update);
update();

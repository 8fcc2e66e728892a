/** preview_markdown in the browser: rendered as on the server, so that no raw HTML and no foreign picture comes through. */
import './site.js';
import './marked.js';

const SAFE = /^(https?:|mailto:|#)/i;
const text = document.getElementById('markdown');
const preview = document.getElementById('preview');
const html = document.getElementById('html');

const escaped = (value) =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const markdown = new globalThis.marked.Marked({
  gfm: true,
  renderer: {
    html: ({ text: raw }) => escaped(raw),
    image: ({ text: description }) => escaped(description),
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return SAFE.test(href) ? `<a href="${escaped(href)}">${inner}</a>` : inner;
    },
  },
});

function update() {
  const rendered = markdown.parse(text.value);
  preview.innerHTML = rendered;
  html.textContent = rendered;
  for (const box of preview.querySelectorAll('input')) box.setAttribute('aria-label', 'Task');
}

document.getElementById('form').addEventListener('submit', (event) => event.preventDefault());
text.addEventListener('input', update);
update();

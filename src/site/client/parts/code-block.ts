/** A text with a button that copies it, as design/code-block.tsx renders it on the server. */
import { make } from './elements.ts';

/** `what` names the text for screen readers. */
export function codeBlock(text: string, what: string): HTMLElement {
  const code = make('code', { textContent: text });
  // The code is focusable, so that a long text can also be scrolled by keyboard.
  const pre = make('pre', { className: 'wrap', tabIndex: 0, role: 'group', ariaLabel: what }, code);
  const button = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'Copy',
    ariaLabel: `Copy: ${what}`,
  });
  button.dataset.copy = '';
  return make('div', { className: 'codeblock' }, pre, button);
}

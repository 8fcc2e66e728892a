/** Creates a code block with a copy button, which looks like that of design/code-block.tsx on the server. */
import { make } from './elements.ts';

/** @param what the name of the code for screen readers */
export function codeBlock(text: string, what: string): HTMLElement {
  const code = make('code', { textContent: text });
  // The code is focusable, so that long code can be scrolled with the keyboard.
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

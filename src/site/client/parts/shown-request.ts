/** Shows the entered request in the code samples of a page of the API reference. */
import { requestCode } from '../../docs/request-code.ts';
import { find } from './elements.ts';
import { shownRequest } from './entered-request.ts';
import { showCode } from './shown-code.ts';

/**
 * Updates the samples when the form changes. The example's code was highlighted by the build. Other code is not
 * highlighted, because the page would have to load a highlighter.
 */
export function showRequests(form: HTMLFormElement): void {
  const samples = find(document, '.call .tabs');
  const built = [...samples.querySelectorAll('code')].map((code) => [...code.childNodes]);
  const unchanged = form.cloneNode(true) as HTMLFormElement;
  unchanged.reset();
  const example = JSON.stringify(shownRequest(unchanged));
  const show = () => {
    // The samples keep showing the last request while a field contains invalid JSON.
    if (form.querySelector('[aria-invalid]')) return;
    const request = shownRequest(form);
    const isExample = JSON.stringify(request) === example;
    showCode(samples, isExample ? built : requestCode(request).map(({ code }) => [code]));
  };
  form.addEventListener('input', show);
  // The visitor may have entered values before this script ran.
  show();
}

/** Runs on the page on which a person sends a file to an agent. */
import { errorIn } from './parts/api.ts';
import { byId, find, showMessage } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { fileList } from './parts/file-list.ts';

const form = document.getElementById('form');
if (form) start(form);

function start(form: HTMLElement): void {
  const { files } = fileList(find(form, '[data-files]'));
  const problem = byId('problem');
  const button = find<HTMLButtonElement>(form, 'button[type="submit"]');

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [file] = files();
    if (!file) return showMessage(problem, 'Choose the file first.');
    button.disabled = true;
    showMessage(problem, '');
    try {
      await send(file);
      form.hidden = true;
      showMessage(
        byId('done'),
        `${file.name} was uploaded. Tell your agent that the upload is complete.`,
      );
    } catch (error) {
      showMessage(problem, errorText(error));
    } finally {
      button.disabled = false;
    }
  });

  async function send(file: File): Promise<void> {
    const response = await fetch(form.dataset.address!, { method: 'PUT', body: file });
    if (!response.ok) throw await errorIn(response);
  }
}

/** Defines the elements of a tool's form and reads what the visitor has entered. */
import { byId, find } from './elements.ts';
import { fileList } from './file-list.ts';
import { type FormControl, parametersOf } from './form-fields.ts';
import { isFresh } from './tool-result.ts';

export const form = byId<HTMLFormElement>('tool-form');
/** The path of the tool's page. */
export const action = form.getAttribute('action')!;
export const tool = form.dataset.tool!;
export const submit = find<HTMLButtonElement>(form, 'button.main');
/** The button that cancels a run, or null if the tool runs in the page. */
export const cancel = form.querySelector<HTMLButtonElement>('[data-cancel]');
export const fileBox = form.querySelector<HTMLElement>('[data-files]');
export const list = fileBox && fileList(fileBox, { isDone: isFresh });
export const fields = [...form.querySelectorAll<FormControl>('[data-type]')];

export const files = (): readonly File[] => list?.files() ?? [];

export const parameters = (): Record<string, unknown> => parametersOf(fields);

/** The fields that are also parameters of the API. The others may contain keys. */
export const apiFields = fields.filter(({ dataset }) => !('pageOnly' in dataset));

/** Whether each of these files is sent in a separate call. */
export const isBatch = (sent: readonly File[]): boolean =>
  sent.length > 1 && fileBox !== null && 'batch' in fileBox.dataset;

/** Returns the parameters of the example. */
export const exampleParameters = (): Record<string, unknown> =>
  JSON.parse(form.dataset.example!).parameters ?? {};

/** Reads the steps of a chain from the posted form of its page. */
import { STEP_ID } from '../../execute/chain-steps.ts';
import { findTool } from '../../tools/find-tool.ts';
import { readFields } from '../tool/read-form.ts';
import { plainFields } from './step-fields.ts';
import { isStepTool, linksName, prefixOf, type Step, UPLOAD, uniqueId } from './steps.ts';

/** @param most the maximum number of steps to read */
export function readFormSteps(form: FormData, most: number): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < most; index += 1) {
    const tool = findTool(String(form.get(`step${index}`) ?? ''));
    if (!tool || !isStepTool(tool)) break;
    const given = String(form.get(`${prefixOf(index)}id`) ?? '');
    const id = STEP_ID.test(given) ? given : tool.name;
    // A value that equals the default is also sent. Otherwise, the previous step could fill the parameter.
    const fields = plainFields(tool).map((field) =>
      field.type === 'choice' || field.type === 'text' ? { ...field, standard: '' } : field,
    );
    const { values, parameters } = readFields(form, fields, prefixOf(index));
    if (tool.name === UPLOAD) values.links = String(form.get(linksName(index)) ?? '');
    steps.push({ tool, id: uniqueId(id, steps), values, parameters });
  }
  return steps;
}

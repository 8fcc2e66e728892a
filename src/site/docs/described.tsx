/**
 * Renders a description from the OpenAPI document. Text between backticks becomes code, and names of tools that
 * the API runs become links.
 */
import { isExecutable } from '../../catalogue/catalogue.ts';
import { findTool } from '../../tools/find-tool.ts';

export const Described = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : linked(part)))}
  </>
);

const linked = (text: string) =>
  text.split(/\b([a-z]+(?:_[a-z]+)+)\b/).map((part, index) => {
    const tool = index % 2 === 1 ? findTool(part) : undefined;
    return tool && isExecutable(tool) ? <a href={`/docs/api/${part}`}>{part}</a> : part;
  });

/**
 * Defines a tool that is listed but cannot be called, because only its page runs it. The in-browser.ts in the tool's
 * folder exports the definition with `run`, and only the page loads that module.
 */
import type * as z from 'zod';
import { defineTool, type ToolDefinition } from './define-tool.ts';

type Own = 'name' | 'title' | 'shortName' | 'kind' | 'icon' | 'description' | 'input';
type Optional =
  | 'pageInput'
  | 'output'
  | 'produces'
  | 'files'
  | 'form'
  | 'example'
  | 'synonyms'
  | 'isSecret'
  | 'resultView';

/** @param isRandom whether each run returns a different result */
export function defineBrowserTool<I extends z.ZodObject, O extends z.ZodObject>({
  isRandom = false,
  ...own
}: Pick<ToolDefinition<I, O, never>, Own> &
  Partial<Pick<ToolDefinition<I, O, never>, Optional>> & { isRandom?: boolean }) {
  return defineTool<I, O>({
    ...own,
    domain: null,
    access: 'anyone',
    limits: [],
    surfaces: [],
    annotations: { readOnly: true, idempotent: !isRandom, openWorld: false, destructive: false },
    needs: [],
  });
}

/**
 * The definition of a tool that is listed but cannot be called: its page runs it, from in-browser.ts in its folder. That
 * module exports the definition with `run`, and only the page loads it.
 */
import type * as z from 'zod';
import { defineTool, type ToolDefinition } from './define-tool.ts';

type Own = 'name' | 'title' | 'shortName' | 'icon' | 'description' | 'input';
type Optional = 'output' | 'produces' | 'files' | 'form' | 'example' | 'synonyms' | 'resultView';

/** `isRandom`: whether each run gives another result. */
export function defineBrowserTool<I extends z.ZodObject, O extends z.ZodObject>({
  isRandom = false,
  ...own
}: Pick<ToolDefinition<I, O, never>, Own> &
  Partial<Pick<ToolDefinition<I, O, never>, Optional>> & { isRandom?: boolean }) {
  return defineTool<I, O>({
    ...own,
    kind: 'browser',
    domain: null,
    access: 'anyone',
    limits: [],
    surfaces: [],
    annotations: { readOnly: true, idempotent: !isRandom, openWorld: false, destructive: false },
    needs: [],
  });
}

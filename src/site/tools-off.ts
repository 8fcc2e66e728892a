/** Finds the tools that are switched off on this server. */
import type { Tool } from '../core/define-tool.ts';
import type { Ports } from '../core/ports.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';
import type { Missing } from './tool/missing-part.tsx';

/** Returns the component that the tool needs but the service lacks, or undefined if nothing is missing. */
export function missingFor(
  { model, needs }: Tool,
  { models, browser }: Ports,
): Missing | undefined {
  if (needs.includes('browser') && !browser.isOn) return 'browser';
  if (!model) return undefined;
  try {
    models.require(model);
    return undefined;
  } catch {
    return model;
  }
}

/** Returns the names of the tools that need a component that the service lacks. */
export function toolsOff(c: AppContext): Set<string> {
  const { ports } = c.env.services;
  return new Set(TOOLS.filter((tool) => missingFor(tool, ports)).map(({ name }) => name));
}

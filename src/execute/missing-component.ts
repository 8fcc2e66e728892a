/** Finds the tools that cannot run, because the service lacks a component that they need. */
import type { Tool } from '../core/define-tool.ts';
import type { ModelKind } from '../core/models-port.ts';
import type { Ports } from '../core/ports.ts';

/** A component that a tool may need and a service may lack. */
export type MissingComponent = ModelKind | 'browser';

/** Returns the component that the tool needs but the service lacks, or undefined if nothing is missing. */
export function missingFor(
  { model, needs }: Tool,
  { models, browser }: Pick<Ports, 'models' | 'browser'>,
): MissingComponent | undefined {
  if (needs.includes('browser') && !browser.isOn) return 'browser';
  return model && !models.isConfigured(model) ? model : undefined;
}

/** Indents JSON with its numbers and repeated keys as they are written. */
import { indentJson } from './indent-json.ts';
import { minifyJson } from './minify-json.ts';
import type { Detours } from './open-keys.ts';

/** Contains no positions, so that repeated keys are kept. */
export const NO_DETOURS: Detours = { skip: new Int32Array(), replace: new Map() };

/** @param json valid JSON */
export const exactJson = (json: string, indent: number): string =>
  indentJson(minifyJson(json, NO_DETOURS, true).json, indent);

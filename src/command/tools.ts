/** Defines the tool properties that the command needs to show its help without contacting the service. */
import generated from './tools.gen.json' with { type: 'json' };

export interface ToolOption {
  type?: string;
  description?: string;
  values?: readonly string[];
  default?: unknown;
  required?: boolean;
}

export interface CommandTool {
  title: string;
  description: string;
  files?: { min: number; max: number };
  /** Whether the result is a link to the uploaded file itself. */
  isUpload?: boolean;
  /** Whether a call usually takes so long that it runs as a job. */
  isLong?: boolean;
  /** The field that is printed instead of the whole JSON result, unless `--json` is given. */
  mainText?: string;
  options: Record<string, ToolOption>;
}

export const TOOLS: Record<string, CommandTool> = generated.tools;

export const VERSION = generated.version;

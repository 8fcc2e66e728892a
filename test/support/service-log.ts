/** Checks the log of a service under test. It must not contain secrets or data that a caller sent. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * A marker that tests include in all data that must not be logged: text, file names, passwords, paths and header
 * fields.
 */
export const CANARY = 'canary';

/** Fields that may be long. A caller can choose only the trace ID, which consists of hexadecimal digits. */
const OURS = ['requestId', 'traceId', 'model'];

const FORBIDDEN: readonly [string, RegExp][] = [
  ['text of a caller', new RegExp(CANARY, 'i')],
  ['an API key', /tsk_[0-9A-Za-z]{20,}/],
];
/**
 * These patterns are checked only in the fields of JSON lines. The human-readable output of `npm start` contains
 * addresses.
 */
const FORBIDDEN_IN_FIELDS: readonly [string, RegExp][] = [
  ['a URL', /\b(?:https?|data|blob):/i],
  ['an IP address', /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{1,4}:|:){3,}[\da-f]/i],
  ['an email address', /\w@\w/],
  ['a secret or an id', /[\w+/=-]{24,}/],
];
const FRAME = /^ +at .*$/gm;

export class ServiceLog {
  readonly lines: string[] = [];
  readonly #secrets: string[];

  /** @param secrets settings of the service that must not be logged; those shorter than 8 characters are ignored */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((secret) => secret.length >= 8);
  }

  /** Collects the lines of a stream, and passes each one to `listener`. */
  collect(stream: Readable, listener: (line: string) => void): void {
    createInterface({ input: stream }).on('line', (line) => {
      this.lines.push(line);
      listener(line);
    });
  }

  /** Returns a description of the forbidden content in the log, with the lines that contain it. */
  findings(): string[] {
    return this.lines.flatMap((line) => {
      const found = [
        ...FORBIDDEN.filter(([, pattern]) => pattern.test(line)),
        ...(line.startsWith('{') ? forbiddenIn(line) : []),
      ].map(([what]) => what);
      if (this.#secrets.some((secret) => line.includes(secret))) found.push('a setting');
      return found.map((what) => `${what} is logged: ${line.slice(0, 500)}`);
    });
  }
}

function forbiddenIn(line: string): readonly [string, RegExp][] {
  const text = fieldsOf(line)
    .filter(([name]) => !OURS.includes(name))
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('\n')
    .replace(FRAME, '');
  return FORBIDDEN_IN_FIELDS.filter(([, pattern]) => pattern.test(text));
}

/** The last line of a killed service may be incomplete. */
function fieldsOf(line: string): [string, unknown][] {
  try {
    return Object.entries(JSON.parse(line));
  } catch {
    return [];
  }
}

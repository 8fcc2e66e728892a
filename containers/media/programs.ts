/** Lists the programs that operations need and their Debian packages, and detects which of them are installed. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join, normalize } from 'node:path';

interface Program {
  /** The Debian package that contains the program. */
  package: string;
  /** The arguments that make the program print its version, for /health. */
  versionArguments: readonly string[];
}

export const PROGRAMS = {
  node: { package: 'nodejs', versionArguments: ['--version'] },
  pdfimages: { package: 'poppler-utils', versionArguments: ['-v'] },
  pdftoppm: { package: 'poppler-utils', versionArguments: ['-v'] },
  pdftotext: { package: 'poppler-utils', versionArguments: ['-v'] },
  ffmpeg: { package: 'ffmpeg', versionArguments: ['-version'] },
  ffprobe: { package: 'ffmpeg', versionArguments: ['-version'] },
  pdfinfo: { package: 'poppler-utils', versionArguments: ['-v'] },
  qpdf: { package: 'qpdf', versionArguments: ['--version'] },
  tesseract: { package: 'tesseract-ocr', versionArguments: ['--version'] },
} as const satisfies Record<string, Program>;

/** Only administrators can install programs in these folders. Other folders of a `PATH` may be writable by anyone. */
export const SYSTEM_PATH = [
  ...['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'],
  '/run/current-system/sw/bin',
].join(delimiter);

export type ProgramName = keyof typeof PROGRAMS;

/**
 * Returns the absolute path of a program, or undefined. The program is looked up on each call, because it may be
 * installed later. npm's folders are skipped, because npm adds the `node_modules/.bin` folder of every parent folder to
 * `PATH`, and anyone may have put a program there.
 */
export function findProgram(name: string): string | undefined {
  // The Node executable that runs this process is used, because PATH may contain an older one.
  if (name === 'node') return process.execPath;
  return findIn(process.env.PATH ?? '', name);
}

/** Returns the absolute path of a program that confines other programs and may run as root, or undefined. */
export const findSystemProgram = (name: string): string | undefined => findIn(SYSTEM_PATH, name);

function findIn(folders: string, name: string): string | undefined {
  for (const folder of folders.split(delimiter)) {
    if (!isAbsolute(folder) || normalize(`${folder}/`).includes('/node_modules/')) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The program is not in this folder.
    }
  }
  return undefined;
}

const versionOf = (path: string, versionArguments: readonly string[]) =>
  new Promise<string | null>((resolve) => {
    execFile(path, versionArguments, { timeout: 5000 }, (_error, stdout, stderr) => {
      resolve(/\d{1,9}(?:\.\d{1,9})+/.exec(`${stdout}\n${stderr}`)?.[0] ?? 'unknown');
    });
  });

/** Returns the version of every program: `unknown` if the program does not print it, or null if it is missing. */
export async function programVersions(): Promise<Record<string, string | null>> {
  const found = Object.entries(PROGRAMS).map(async ([name, program]) => {
    const path = findProgram(name);
    return [name, path ? await versionOf(path, program.versionArguments) : null] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Returns the missing programs, each with the package that installs it. */
export const missingPrograms = (): { program: string; package: string }[] =>
  Object.entries(PROGRAMS)
    .filter(([name]) => !findProgram(name))
    .map(([program, { package: name }]) => ({ program, package: name }));

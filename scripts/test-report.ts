/** Reads the JSON report of a Vitest run. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

export interface Outcome {
  passed: number;
  failed: number;
  /** Tests that failed at first and passed on a retry. Each entry contains the file, the name and the first error. */
  repeated: string[];
}

/** Reads a report. A missing or damaged report counts as a failed test. */
export function readOutcome(path: string): Outcome {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, repeated: [] };
  }
  const repeated = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(
        ({ fullName, failureMessages: [error = ''] }) =>
          `${relative('', name)}: ${fullName.trim()} (${error.split('\n')[0]})`,
      ),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests, repeated };
}

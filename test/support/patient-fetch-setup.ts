/**
 * Replaces `fetch` before each test file. Vitest runs setup files again for each test file, even if test files share a
 * worker.
 */
import { patientFetch } from './patient-fetch.ts';

globalThis.fetch = patientFetch;

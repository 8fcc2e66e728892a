/** A setup file that runs before each test file, even where test files share a worker. */
import { patientFetch } from './patient-fetch.ts';

globalThis.fetch = patientFetch;

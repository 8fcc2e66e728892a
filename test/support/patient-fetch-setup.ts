/** A setup file. It runs before each test file, also where they share a worker. */
import { patientFetch } from './patient-fetch.ts';

globalThis.fetch = patientFetch;

import { fuzzSuite } from '../fuzz/suite.ts';

fuzzSuite(15);

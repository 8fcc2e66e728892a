/** Replaces the module `typescript` with a version before 7, which still has the compiler API. */
import { ts } from '@ts-morph/common';

export default ts;

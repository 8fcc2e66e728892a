/** Provides the compiler API of TypeScript before version 7 as the module `typescript`. */
import { ts } from '@ts-morph/common';

export default ts;

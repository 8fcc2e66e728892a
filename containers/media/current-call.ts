/** Tracks the operation call on whose behalf the current code is running, with its caller and its CPU time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallerBudget, CPU_LEDGER } from './cpu-ledger.ts';

export interface Call {
  caller: CallerBudget | undefined;
  /** The CPU seconds that the call's programs and processes have used so far. */
  cpuSeconds: number;
}

const calls = new AsyncLocalStorage<Call>();

/** Runs `work`. Within it, `currentCall` returns `call`. */
export const withCall = <Result>(call: Call, work: () => Result): Result => calls.run(call, work);

/** Returns undefined outside a call, such as in a pool process. The server measures the CPU time of pool processes. */
export const currentCall = (): Call | undefined => calls.getStore();

/** Charges CPU seconds to a call and its caller. */
export function chargeCpu(call: Call | undefined, seconds: number): void {
  if (!call) return;
  call.cpuSeconds += seconds;
  if (call.caller) CPU_LEDGER.charge(call.caller.key, seconds);
}

/** The call that is worked on, wherever in the code that is: who made it, and the CPU time that it has used. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallerBudget, CPU_LEDGER } from './cpu-ledger.ts';

export interface Call {
  caller: CallerBudget | undefined;
  /** CPU seconds of its programs and processes so far. */
  cpuSeconds: number;
}

const calls = new AsyncLocalStorage<Call>();

/** Runs `work`, in all of which `currentCall` is `call`. */
export const withCall = <Result>(call: Call, work: () => Result): Result => calls.run(call, work);

/** Undefined outside of a call: in a process of a pool, whose CPU time the server sees. */
export const currentCall = (): Call | undefined => calls.getStore();

/** Charges CPU seconds to a call and its caller. */
export function chargeCpu(call: Call | undefined, seconds: number): void {
  if (!call) return;
  call.cpuSeconds += seconds;
  if (call.caller) CPU_LEDGER.charge(call.caller.key, seconds);
}

/** The headers with which a media worker reports its state in every answer. */

/** `3/8`: three other calls run or wait, on eight cores. */
export const LOAD_HEADER = 'X-Media-Load';

/** Set if the worker refused a call without beginning it: `busy`, or `ending` while it shuts down. */
export const REFUSED_HEADER = 'X-Media-Refused';

export const writeLoad = (calls: number, cores: number): string => `${calls}/${cores}`;

/** Undefined if the header is missing or malformed. */
export function readLoad(header: string | null): { calls: number; cores: number } | undefined {
  const [, calls, cores] = /^(\d{1,6})\/(\d{1,4})$/.exec(header ?? '') ?? [];
  return calls && Number(cores) > 0 ? { calls: Number(calls), cores: Number(cores) } : undefined;
}

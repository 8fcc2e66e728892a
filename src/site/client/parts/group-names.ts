/** Returns the names of the capturing groups of a valid regular expression in order, null for groups without a name. */
export function groupNames(pattern: string): (string | null)[] {
  const names: (string | null)[] = [];
  let isInSet = false;
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at];
    if (letter === '\\') at += 1;
    else if (isInSet) isInSet = letter !== ']';
    else if (letter === '[') isInSet = true;
    else if (letter === '(' && pattern[at + 1] !== '?') names.push(null);
    else if (letter === '(') names.push(...namesAt(pattern, at));
  }
  return names;
}

/** Returns the name of the group that begins here, if it has one. Look-behinds begin with `(?<=` or `(?<!`. */
function namesAt(pattern: string, at: number): string[] {
  const isNamed = pattern.startsWith('(?<', at) && !/[=!]/.test(pattern[at + 3] ?? '=');
  return isNamed ? [pattern.slice(at + 3, pattern.indexOf('>', at))] : [];
}

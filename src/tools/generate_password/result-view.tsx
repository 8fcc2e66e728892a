/** Shows the passwords of generate_password and their strength. */
import type { ViewParts } from '../../core/result-view.ts';

interface Passwords {
  /** The entropy of each password in bits. */
  bits: number;
  passwords: string[];
}

export function resultView({ bits, passwords }: Passwords, { CopyList }: ViewParts) {
  const strength = bits < 60 ? 'weak' : bits < 80 ? 'fair' : bits < 128 ? 'strong' : 'very strong';
  return (
    <>
      <p>
        <span class={bits < 60 ? 'chip bad' : bits < 80 ? 'chip' : 'chip good'}>
          {bits} bits: {strength}
        </span>
      </p>
      <CopyList values={Object.fromEntries(passwords.map((text, at) => [`${at + 1}`, text]))} />
    </>
  );
}

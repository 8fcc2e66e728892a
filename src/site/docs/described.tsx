/** A description of the OpenAPI document: what stands between backticks is code. */

export function Described({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
  );
}

/** A description from the OpenAPI document; text between backticks is code. */

export function Described({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
  );
}

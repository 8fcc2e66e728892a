/** Renders names and values, each with a button that copies the value. */

export function CopyList({ values }: { values: Record<string, unknown> }) {
  return (
    <dl class="facts copies">
      {Object.entries(values).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code>{String(value)}</code>
            <button type="button" class="small" data-copy="" aria-label={`Copy: ${name}`}>
              Copy
            </button>
          </dd>
        </>
      ))}
    </dl>
  );
}

/** Renders an error message in which the sign-in address is a link. */

export function Message({ text }: { text: string }) {
  const [before, after] = text.split('/developers', 2);
  if (after === undefined) return <>{text}</>;
  return (
    <>
      {before}
      <a href="/developers">/developers</a>
      {after}
    </>
  );
}

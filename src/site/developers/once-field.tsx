/**
 * Renders a hidden field with the id of a form instance. The id ensures that a form has no effect if a reload sends it
 * again.
 */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}

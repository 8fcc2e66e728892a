/**
 * Renders a hidden field with the ID of a form instance. The ID ensures that a form resubmitted by a reload has no
 * effect.
 */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}

/** Renders the form that an operator uses to perform an action. */
import type { ActName } from '../../admin/acts.ts';
import type { Facts } from '../../admin/rows.ts';
import { QUOTA_NAMES, REASONS, type Subject, subjectText } from '../../core/moderation.ts';

const BUTTONS: Record<ActName, string> = {
  remove: 'Remove it',
  warn: 'Show a warning before redirecting',
  restore: 'Restore the redirect',
  block: 'Block',
  unblock: 'Remove the block',
  revoke: 'Revoke the key',
  quotas: 'Set the quotas',
  close: 'Close the report',
};

interface ActFormProps {
  act: ActName;
  /** The subject of the action. If undefined, the operator enters it. */
  subject?: Subject;
  facts?: Facts;
}

export function ActForm({ act, subject, facts = [] }: ActFormProps) {
  const current = new Map(facts);
  return (
    <form method="post" action="/admin/act">
      <input type="hidden" name="act" value={act} />
      {subject ? (
        <input type="hidden" name="subject" value={subjectText(subject)} />
      ) : (
        <Field
          act={act}
          name="subject"
          label="Subject, such as network:203.0.113.0/24 or host:bad.example"
          required
        />
      )}
      {(act === 'remove' || act === 'warn') && <ReasonField id={`${act}-reason`} />}
      {act === 'block' && (
        <Field
          act={act}
          name="expires"
          label="Last day, such as 2027-01-31 (leave empty for no expiry)"
        />
      )}
      {act === 'quotas' &&
        Object.entries(QUOTA_NAMES).map(([name, label]) => (
          <Field act={act} name={name} label={label} value={current.get(label)} required />
        ))}
      <Field act={act} name="note" label="Why" required />
      <button type="submit" class={act === 'remove' || act === 'revoke' ? 'danger' : undefined}>
        {BUTTONS[act]}
      </button>
    </form>
  );
}

interface FieldProps {
  act: ActName;
  name: string;
  label: string;
  value?: string | undefined;
  required?: boolean;
}

function Field({ act, name, label, value, required }: FieldProps) {
  const id = `${act}-${name}`;
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        required={required}
        maxlength={300}
        autocomplete="off"
      />
    </>
  );
}

/** Renders the field that selects a reason. The report form also uses it. */
export const ReasonField = ({ id, chosen }: { id: string; chosen?: string | undefined }) => (
  <>
    <label for={id}>Reason</label>
    <select id={id} name="reason" required>
      {Object.entries(REASONS).map(([reason, text]) => (
        <option value={reason} selected={reason === chosen}>
          {text.charAt(0).toUpperCase() + text.slice(1)}
        </option>
      ))}
    </select>
  </>
);

// A mail, in the composer.
import { MailForm } from '../../mails/composer.tsx'
import type { ComposerProps } from './composing.ts'

export function MailPanel({ recordId, name, emails, onDone }: ComposerProps & { onDone(): void }) {
  return <MailForm recordId={recordId} name={name} to={emails} onSent={onDone} />
}

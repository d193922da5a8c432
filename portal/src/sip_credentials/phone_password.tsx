// The password of a phone, this once, with what else is typed into it.
import type { SipCredential } from '@tandem/sdk'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { CopyButton } from '../ui/code.tsx'
import { DescriptionList } from '../ui/index.ts'
import { isThisMachineOnly } from './phone_values.ts'
import styles from './phones.module.css'

export type PhonePasswordProps = { of: SipCredential; password: string; onDone(): void }
export function PhonePassword({ of: { username, phone }, password, onDone }: PhonePasswordProps) {
  const line = (term: string, text: string) => ({
    term,
    detail: (
      <>
        <code>{text}</code> <CopyButton text={text} label={`Copy: ${term}`} />
      </>
    ),
  })
  return (
    <SecretDialog
      title={`The password of ${username}`}
      description="Type it into the phone now: it is not stored, and cannot be shown again."
      secret={password}
      hint="In the phone. When it is lost, give it a new one from the menu of its row."
      onDone={onDone}
    >
      <DescriptionList
        items={[
          line('Server', phone.server),
          line('User name', phone.username),
          line('Domain', phone.domain),
          {
            term: 'Transport',
            detail: `${phone.transports.join(', ').toUpperCase()}${phone.tlsPort === null ? '' : ` (TLS at port ${phone.tlsPort})`}`,
          },
        ]}
      />
      {isThisMachineOnly(phone.domain) && (
        <p className={styles['faint']}>
          A phone of another machine does not get here: {phone.domain} is this server to itself alone. Start it with
          TANDEM_SIP_DOMAIN, the name or address that phones reach it at.
        </p>
      )}
    </SecretDialog>
  )
}

// The password of a phone, this once, with what else is typed into it.
import type { SipCredential } from '@tandem/sdk'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { CopyButton } from '../ui/code.tsx'
import { DescriptionList } from '../ui/index.ts'
import { isThisMachineOnly } from './phone_values.ts'
import styles from './phones.module.css'
import { t } from './texts.ts'

export type PhonePasswordProps = { of: SipCredential; password: string; onDone(): void }
export function PhonePassword({ of: { username, phone }, password, onDone }: PhonePasswordProps) {
  const line = (term: string, text: string) => ({
    term,
    detail: (
      <>
        <code>{text}</code> <CopyButton text={text} label={t('copyNamed', { name: term })} />
      </>
    ),
  })
  const transports = phone.transports.join(', ').toUpperCase()
  return (
    <SecretDialog
      title={t('passwordOf', { name: username })}
      description={t('passwordText')}
      secret={password}
      hint={t('passwordHint')}
      onDone={onDone}
    >
      <DescriptionList
        items={[
          line(t('server'), phone.server),
          line(t('user'), phone.username),
          line(t('domain'), phone.domain),
          {
            term: t('transport'),
            detail:
              phone.tlsPort === null ? transports : t('transportTls', { transports, port: String(phone.tlsPort) }),
          },
        ]}
      />
      {isThisMachineOnly(phone.domain) && (
        <p className={styles['faint']}>{t('unreachable', { domain: phone.domain })}</p>
      )}
    </SecretDialog>
  )
}

// The dialog with the destination policy of an API key.
import type { ApiKey } from '@tandem/sdk'
import { Button, Dialog } from '../ui/index.ts'
import styles from './destinations.module.css'
import { PolicyPanel } from './policy_panel.tsx'
import { t } from './texts.ts'

export function KeyPolicyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { keyId, name, mode } = apiKey
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={t('destinationsOf', { name })}
      description={t('keyText')}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <div className={styles['cards']}>
        <PolicyPanel of={keyId} title={t('policyOf', { name })} mode={mode} isPlain />
      </div>
    </Dialog>
  )
}

// The dialog with the destination policy of an API key.
import type { ApiKey } from '@tandem/sdk'
import { Button, Dialog } from '../ui/index.ts'
import styles from './destinations.module.css'
import { PolicyPanel } from './policy_panel.tsx'

export function KeyPolicyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { keyId, name, mode } = apiKey
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={`Destinations of ${name}`}
      description="Holds for the calls this key asks for, all they dial, and its texts, beside the policy of the organization. A key with a policy makes no keys and changes no policies."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className={styles['cards']}>
        <PolicyPanel of={keyId} title={`Policy of ${name}`} mode={mode} isPlain />
      </div>
    </Dialog>
  )
}

// The secret of a key that was made or rotated, this once.
import type { ApiKeysCreateReply } from '@tandem/sdk'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { t } from './texts.ts'

export function KeySecret({ made, onDone }: { made: ApiKeysCreateReply; onDone(): void }) {
  return (
    <SecretDialog
      title={t('secretTitle', { name: made.name })}
      description={t('secretText')}
      secret={made.secret}
      onDone={onDone}
    />
  )
}

// The secret of a key that was made or rotated, this once.
import type { ApiKeysCreateReply } from '@tandem/sdk'
import { SecretDialog } from '../forms/secret_dialog.tsx'

export function KeySecret({ made, onDone }: { made: ApiKeysCreateReply; onDone(): void }) {
  return (
    <SecretDialog
      title={`The secret of ${made.name}`}
      description="Copy it now. It is not stored, and nobody can show it to you again."
      secret={made.secret}
      onDone={onDone}
    />
  )
}

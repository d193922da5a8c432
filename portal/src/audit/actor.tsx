// Who did it, by name, with the way to the user or key.
import type { AuditEvent } from '@tandem/sdk'
import { UserLink } from '../nouns/user_name.tsx'
import { IdLink } from '../ui/index.ts'

const nobody: Record<string, string> = {
  anonymous: 'Somebody not signed in',
  system: 'The server',
  operator: 'The operator',
}

/** In a list: one line. */
export function actorText({ type, id, name }: AuditEvent['actor']): string {
  if (name !== null) return type === 'user' ? name : `${name} (${type})`
  return nobody[type] ?? `${type} ${id ?? ''}`
}

export function Actor({ actor: { type, id, name, onBehalfOf } }: { actor: AuditEvent['actor'] }) {
  if (type === 'user' && id !== null)
    return (
      <>
        <UserLink id={Number(id)} />
        {name !== null && `, ${name}`}
      </>
    )
  return (
    <>
      {nobody[type] ?? type} {id !== null && <IdLink id={id} />}
      {onBehalfOf !== null && (
        <>
          {' '}
          for <UserLink id={Number(onBehalfOf)} />
        </>
      )}
    </>
  )
}

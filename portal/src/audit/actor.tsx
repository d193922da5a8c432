// Who did it, by name, with the way to the user or key.
import type { AuditEvent } from '@tandem/sdk'
import { UserLink } from '../nouns/user_name.tsx'
import { IdLink } from '../ui/index.ts'
import { t } from './texts.ts'

/** In a list: one line. */
export function actorText({ type, id, name }: AuditEvent['actor']): string {
  if (name !== null) return type === 'user' ? name : t('actorNamed', { name, type })
  return t.of('nobody', type) ?? `${type} ${id ?? ''}`
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
      {t.of('nobody', type) ?? type} {id !== null && <IdLink id={id} />}
      {onBehalfOf !== null && <> {t.rich('actorFor', { user: () => <UserLink id={Number(onBehalfOf)} /> })}</>}
    </>
  )
}

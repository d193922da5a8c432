// Who may call an endpoint: the permission, the roles and scopes that hold it, and the verdict for the one who reads.
import { CircleCheck, CircleX, LockOpen } from 'lucide-react'
import type { IndexEntry } from '../session/catalog.ts'
import { Chip, classes, DescriptionList, TextLink } from '../ui/index.ts'
import shared from './endpoint.module.css'
import { type Caller, mayCall } from './may_call.ts'
import styles from './permission_facts.module.css'
import { t } from './texts.ts'

type PermissionFactsProps = { entry: IndexEntry; description: string; caller: Caller }

export function PermissionFacts({ entry, description, caller }: PermissionFactsProps) {
  const { level, roles, version } = entry
  const verdict = mayCall(entry, caller)
  const isOpen = level === 'public'
  return (
    <>
      <p className={classes(styles['verdict'], verdict.allowed ? styles['yes'] : styles['no'])} data-testid="may-call">
        {isOpen ? (
          <LockOpen size={15} aria-hidden="true" />
        ) : verdict.allowed ? (
          <CircleCheck size={15} aria-hidden="true" />
        ) : (
          <CircleX size={15} aria-hidden="true" />
        )}
        <span>{version === 'oauth' ? description : verdict.reason}</span>
      </p>
      {!isOpen && (
        <DescriptionList
          items={[
            {
              term: t('part.permission'),
              detail: (
                <>
                  <code>{level}</code>
                  {description !== '' && <span className={shared['muted']}> {description}</span>}
                </>
              ),
            },
            {
              term: t('roles'),
              detail: (
                <span className={styles['chips']}>
                  {roles.map(role => (
                    <Chip key={role} tone={role === caller.role ? 'accent' : 'neutral'}>
                      {role === caller.role ? t('roleYou', { role }) : role}
                    </Chip>
                  ))}
                </span>
              ),
            },
            ...(entry.liveOnly === true ? [{ term: t('mode'), detail: t('liveOnly') }] : []),
            {
              term: t('scope'),
              detail: t.rich('scopeText', { level, link: text => <TextLink to="/keys">{text}</TextLink> }),
            },
          ]}
        />
      )}
    </>
  )
}

// Which endpoints a role opens: those whose permission it holds, out of the catalog.
import { mayCall } from '../explorer/may_call.ts'
import { byCategory, endpointAddress, endpoints } from '../session/catalog.ts'
import { Card, MethodBadge, TextLink } from '../ui/index.ts'
import type { RoleRecord } from './data.ts'
import styles from './roles.module.css'
import { t } from './texts.ts'

/** What takes a permission, and no operator's token. */
const guarded = endpoints.filter(({ level }) => level.includes(':') && !level.startsWith('operator:'))

export function RoleEndpoints({ role }: { role: RoleRecord }) {
  const caller = { role: role.base, permissions: new Set<string>(role.permissions), mode: 'live' } as const
  const opened = guarded.filter(entry => mayCall(entry, caller).allowed)
  return (
    <Card title={t('endpoints')}>
      <p className={styles['note']}>{t('endpointsCount', { count: opened.length, all: guarded.length })}</p>
      {byCategory(guarded).map(([category, all]) => {
        const own = all.filter(entry => opened.includes(entry))
        return (
          <details key={category} className={styles['group']}>
            <summary>
              {category}{' '}
              <span className={styles['count']}>{t('heldCount', { held: own.length, count: all.length })}</span>
            </summary>
            {own.length === 0 ? (
              <p className={styles['note']}>{t('endpointsNone')}</p>
            ) : (
              <ul className={styles['list']}>
                {own.map(entry => (
                  <li key={entry.id}>
                    <MethodBadge method={entry.method} />{' '}
                    <TextLink to={endpointAddress(entry) as '/'}>{entry.name}</TextLink>
                  </li>
                ))}
              </ul>
            )}
          </details>
        )
      })}
    </Card>
  )
}

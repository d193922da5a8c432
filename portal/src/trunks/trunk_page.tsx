// One trunk: how it is now, what can be done with it, and a test.
import type { Trunk } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { SettingsCard } from '../carriers/carrier_facts.tsx'
import styles from '../carriers/carriers.module.css'
import { LinkPage, useLinkEditing } from '../carriers/link_page.tsx'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { ResourceEvents } from '../data/resource_events.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { Card, LoadingRows } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { useLiveTrunks } from './live_trunks.ts'
import { t } from './texts.ts'
import { TrunkFacts, TrunkRoutesCard, WarningsCard } from './trunk_facts.tsx'
import { TrunkTest } from './trunk_test.tsx'

const kind = 'trunk'

// Fetched when it is wanted: a list is looked at far more often than it is added to.
export const TrunkForm = lazyPart(() => import('./trunk_form.tsx').then(module => module.TrunkForm))

const PolicyPanel = lazyPart(() => import('../destinations/policy_panel.tsx').then(module => module.PolicyPanel))

export function TrunkPage({ id }: { id: string }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const editing = useLinkEditing('trunk')
  const query = useRecord('trunk', id)
  const { data } = query
  useLiveTrunks(() => {
    if (data !== undefined && !editing.isEditing) void query.refetch()
  })
  return (
    <LinkPage
      kind={kind}
      title={t('trunk')}
      id={id}
      link={data}
      editing={editing}
      form={(trunk, on) => <TrunkForm trunk={trunk} {...on} />}
      offText={trunk => [t('offText'), activeText(trunk)].join(' ')}
      deleteText={trunk => [t('deleteText'), activeText(trunk), t('deleteMore')].join(' ')}
      onText={name => t('on', { name })}
      turn={enabled => api.trunks.update({ trunkId: id, enabled })}
      remove={() => api.trunks.delete({ trunkId: id })}
      forget={() => cache.invalidateQueries({ queryKey: [mode, 'trunks'] })}
    >
      <RecordStates kind={kind} id={id} query={query}>
        {trunk => (
          <div className={styles['form']}>
            <WarningsCard trunk={trunk} />
            <div className={record['columns']}>
              <div className={styles['form']}>
                <TrunkFacts trunk={trunk} />
                {editing.mayManage && <TrunkTest trunk={trunk} />}
              </div>
              <div className={styles['form']}>
                <TrunkRoutesCard trunk={trunk} />
                <ResourceEvents resourceId={id} noun={kind} />
              </div>
            </div>
            <SettingsCard of={trunk} />
            {permissions.has('destinations:read') && (
              <Card title={t('policy')}>
                <p className={styles['quiet']}>{t('policyText')}</p>
                <Suspense fallback={<LoadingRows label={t('loadingPolicy')} />}>
                  <PolicyPanel of={id} title={t('policyOf', { name: trunk.name })} mode={mode} isPlain />
                </Suspense>
              </Card>
            )}
            <CodeBlock code={JSON.stringify(trunk, null, 2)} language="json" label={t('asJson')} />
          </div>
        )}
      </RecordStates>
    </LinkPage>
  )
}

/** What becomes of calls. */
function activeText({ counters: { active } }: Trunk): string {
  return t('activeText', { count: active })
}

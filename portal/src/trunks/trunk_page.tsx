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
import { Card, countText, LoadingRows } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { useLiveTrunks } from './live_trunks.ts'
import { TrunkFacts, TrunkRoutesCard, WarningsCard } from './trunk_facts.tsx'
import { TrunkTest } from './trunk_test.tsx'

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
      kind="trunk"
      title="Trunk"
      id={id}
      link={data}
      editing={editing}
      form={(trunk, on) => <TrunkForm trunk={trunk} {...on} />}
      offText={trunk => `It is unregistered, and no new call goes or comes this way. ${activeText(trunk)}`}
      deleteText={trunk =>
        `It is unregistered and its settings are forgotten. ${activeText(trunk)} Without any trunk, live calls to real phones fail with no_route.`
      }
      onText="it is asked whether it is there."
      turn={enabled => api.trunks.update({ trunkId: id, enabled })}
      remove={() => api.trunks.delete({ trunkId: id })}
      forget={() => cache.invalidateQueries({ queryKey: [mode, 'trunks'] })}
    >
      <RecordStates kind="trunk" id={id} query={query}>
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
                <ResourceEvents resourceId={id} noun="trunk" />
              </div>
            </div>
            <SettingsCard of={trunk} />
            {permissions.has('destinations:read') && (
              <Card title="Destination policy">
                <p className={styles['quiet']}>
                  Holds for calls that go out by this trunk, beside the policy of the organization. Where it is against
                  a number, or a ceiling is reached, calls take another trunk.
                </p>
                <Suspense fallback={<LoadingRows label="Loading the policy" />}>
                  <PolicyPanel of={id} title={`Policy of ${trunk.name}`} mode={mode} isPlain />
                </Suspense>
              </Card>
            )}
            <CodeBlock code={JSON.stringify(trunk, null, 2)} language="json" label="Trunk as the API gives it" />
          </div>
        )}
      </RecordStates>
    </LinkPage>
  )
}

/** What becomes of calls. */
function activeText({ counters: { active } }: Trunk): string {
  const waiting = 'Calls that wait for it take another trunk; without one they fail.'
  if (active === 0) return `No call goes by it now. ${waiting}`
  return `${active === 1 ? 'The call that goes' : `The ${countText(active)} calls that go`} by it now ${active === 1 ? 'goes' : 'go'} on. ${waiting}`
}

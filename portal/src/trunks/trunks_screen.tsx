// Trunks: who takes the calls of live mode to real phones, how each is now, and how many calls go by it.
import type { Trunk } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import styles from '../carriers/carriers.module.css'
import { LinkList, LinkScreen, useLinkCreating } from '../carriers/link_list.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, type Column, countText, StatusChip, Time } from '../ui/index.ts'
import { useLiveTrunks } from './live_trunks.ts'
import { addressText } from './trunk_facts.tsx'
import { TrunkForm, TrunkPage } from './trunk_page.tsx'

const words = {
  kind: 'trunk',
  title: 'Trunks',
  description:
    'Who takes your calls to real phones: carriers by SIP, or an Asterisk that is there already. Each call goes by the trunk whose route fits best.',
} as const

export function TrunksScreen() {
  return (
    <LinkScreen
      {...words}
      liveOnlyText="In test mode only the simulator carries calls: no real phone can ring, whatever is set up."
      page={id => <TrunkPage key={id} id={id} />}
      list={() => <TrunkList />}
    />
  )
}

const columns: Column<Trunk>[] = [
  { key: 'name', header: 'Name', render: ({ name }) => name },
  { key: 'host', header: 'Address', hideOnNarrow: true, render: addressText },
  {
    key: 'state',
    header: 'State',
    nowrap: true,
    render: ({ state, since }) => (
      <>
        <StatusChip status={state} /> {since !== null && <Time iso={since} />}
      </>
    ),
  },
  { key: 'active', header: 'Calls now', align: 'end', render: ({ counters }) => countText(counters.active) },
  {
    key: 'error',
    header: 'Last error',
    hideOnNarrow: true,
    render: ({ error }) => (error === null ? '–' : <span className={styles['reason']}>{error}</span>),
  },
]

function Subline({ trunk }: { trunk: Trunk }) {
  return (
    <>
      {addressText(trunk)}
      {trunk.error !== null && <span className={styles['reason']}>{trunk.error}</span>}
    </>
  )
}

function TrunkList() {
  const api = useApi()
  const { mode } = useSession()
  const creating = useLinkCreating('trunk')
  const query = useQuery({
    queryKey: [mode, 'trunks'],
    // There are at most fifty.
    queryFn: ({ signal }) => api.trunks.list({ limit: 200 }, { signal }),
    enabled: !creating.isCreating,
  })
  useLiveTrunks(() => {
    if (!creating.isCreating) void query.refetch()
  })
  return (
    <LinkList
      {...words}
      creating={creating}
      query={query}
      links={query.data?.items ?? none}
      idOf={({ trunkId }) => trunkId}
      columns={columns}
      subline={trunk => <Subline trunk={trunk} />}
      firstText="From the first one on, live calls go to real phones, and their callers must be numbers of yours."
      form={on => <TrunkForm {...on} />}
      empty={{
        icon: <Cable size={20} />,
        text: 'Until there is one, live calls to real phones fail with no_route. Add the SIP account that your carrier gave you.',
        action: <ButtonLink to="/calls">All calls</ButtonLink>,
      }}
    />
  )
}

const none: readonly Trunk[] = []

// Trunks: who takes the calls of live mode to real phones, how each is now, and how many calls go by it.
import type { Trunk } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { LinkScreen } from '../carriers/link_list.tsx'
import type { Resource } from '../lists/resource.ts'
import { ButtonLink, StatusChip, Time } from '../ui/index.ts'
import { useLiveTrunks } from './live_trunks.ts'
import { addressText } from './trunk_facts.tsx'
import { TrunkForm, TrunkPage } from './trunk_page.tsx'

const trunks: Resource<Trunk> = {
  many: 'trunks',
  about:
    'Who takes your calls to real phones: carriers by SIP, or an Asterisk that is there already. Each call goes by the trunk whose route fits best.',
  from: api => api.trunks.list,
  id: 'trunkId',
  nameOf: ({ name, state }) => `${name}, ${state}`,
  columns: [
    { name: 'name', label: 'Name', px: 200 },
    { name: 'host', label: 'Address', px: 240, atFirst: 'wide', cell: addressText },
    { name: 'state', label: 'State', px: 220, cell: State },
    { name: 'counters', label: 'Calls now', kind: 'count', cell: ({ counters }) => String(counters.active) },
    {
      name: 'error',
      label: 'Last error',
      px: 320,
      atFirst: 'wide',
      cell: ({ error }) => error !== null && <span className={styles['error']}>{error}</span>,
    },
    { name: 'kind', label: 'Kind', atFirst: 'never' },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'never' },
    { name: 'trunkId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  create: { label: 'Create a trunk', needs: 'trunks:manage' },
  useNews: list => useLiveTrunks(() => void list.query.refetch()),
  empty: {
    title: 'No trunk yet',
    text: 'Until there is one, live calls to real phones fail with no_route. Add the SIP account that your carrier gave you.',
    action: <ButtonLink to="/calls">All calls</ButtonLink>,
  },
}

function State({ state, since }: Trunk) {
  return (
    <>
      <StatusChip status={state} /> {since !== null && <Time iso={since} />}
    </>
  )
}

export const TrunksScreen = () => (
  <LinkScreen
    of={trunks}
    page={TrunkPage}
    liveOnlyText="In test mode only the simulator carries calls: no real phone can ring, whatever is set up."
    firstText="From the first one on, live calls go to real phones, and their callers must be numbers of yours."
    form={on => <TrunkForm {...on} />}
  />
)

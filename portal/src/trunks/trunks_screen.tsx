// Trunks: who takes the calls of live mode to real phones, how each is now, and how many calls go by it.
import type { Trunk } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { LinkScreen } from '../carriers/link_list.tsx'
import { t as tCarriers } from '../carriers/texts.ts'
import type { Resource } from '../lists/resource.ts'
import { ButtonLink, StatusChip, Time } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { useLiveTrunks } from './live_trunks.ts'
import { t } from './texts.ts'
import { addressText } from './trunk_facts.tsx'
import { TrunkForm, TrunkPage } from './trunk_page.tsx'

const trunks = byLanguage(
  (): Resource<Trunk> => ({
    many: 'trunks',
    things: t('things'),
    about: t('about'),
    from: api => api.trunks.list,
    id: 'trunkId',
    nameOf: ({ name, state }) => `${name}, ${state}`,
    columns: [
      { name: 'name', label: tCarriers('name'), px: 200 },
      { name: 'host', label: t('address'), px: 240, atFirst: 'wide', cell: addressText },
      { name: 'state', label: tCarriers('state'), px: 220, cell: State },
      { name: 'counters', label: t('callsNow'), kind: 'count', cell: ({ counters }) => String(counters.active) },
      {
        name: 'error',
        label: t('lastError'),
        px: 320,
        atFirst: 'wide',
        cell: ({ error }) => error !== null && <span className={styles['error']}>{error}</span>,
      },
      { name: 'kind', label: tCarriers('kind'), atFirst: 'never' },
      { name: 'createdAt', label: tCarriers('created'), kind: 'time', atFirst: 'never' },
      { name: 'trunkId', label: tCarriers('id'), kind: 'id', atFirst: 'never' },
    ],
    create: { label: t('create'), needs: 'trunks:manage' },
    useNews: list => useLiveTrunks(() => void list.query.refetch()),
    empty: {
      title: t('empty'),
      text: t('emptyText'),
      action: <ButtonLink to="/calls">{t('allCalls')}</ButtonLink>,
    },
  }),
)

function State({ state, since }: Trunk) {
  return (
    <>
      <StatusChip status={state} /> {since !== null && <Time iso={since} />}
    </>
  )
}

export const TrunksScreen = () => (
  <LinkScreen
    of={trunks()}
    page={TrunkPage}
    liveOnlyText={t('liveOnlyText')}
    firstText={t('firstText')}
    form={on => <TrunkForm {...on} />}
  />
)

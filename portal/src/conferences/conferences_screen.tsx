// Conferences: a list of those that are under way and those that are over, which follows what happens; and one with who is in it.
import type { ConferencesListItem, ConferencesListParams } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { Play, UsersRound } from 'lucide-react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLiveRecords } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { chosenOf, type Params, without } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, type Column, countText, NewOnTop, PageHeader, Time, Toolbar } from '../ui/index.ts'
import { ConferencePage } from './conference_page.tsx'
import { endWords, stateWords } from './conference_words.ts'
import { StateChip } from './state_chip.tsx'

export function ConferencesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('calls:read')) return <Refused title="Conferences" permission="calls:read" />
  return id === undefined ? <ConferenceList /> : <ConferencePage key={id} id={id} />
}

const filterNames = ['state', 'name'] as const

function fits(item: ConferencesListItem, { state, name }: Params): boolean {
  return (state === undefined || state === item.state) && (name === undefined || name === item.name)
}

const columns: Column<ConferencesListItem>[] = [
  { key: 'name', header: 'Name', render: item => item.name },
  { key: 'state', header: 'State', nowrap: true, render: item => <StateChip state={item.state} /> },
  {
    key: 'participants',
    header: 'In it now',
    align: 'end',
    nowrap: true,
    render: item => countText(item.participantCount),
  },
  { key: 'created', header: 'Opened', hideOnNarrow: true, render: item => <Time iso={item.createdAt} /> },
  {
    key: 'ended',
    header: 'Ended',
    hideOnNarrow: true,
    render: item => (item.endedAt === null ? '–' : <Time iso={item.endedAt} />),
  },
  {
    key: 'reason',
    header: 'Because',
    hideOnNarrow: true,
    render: item => (item.endReason === null ? '–' : endWords[item.endReason]),
  },
]

function ConferenceList() {
  const api = useApi()
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const list = useCursorList<ConferencesListItem>('conferences', filters, (cursor, signal) =>
    api.conferences.list(
      { ...(filters as ConferencesListParams), limit: 50, ...(cursor ? { cursor } : {}) },
      { signal },
    ),
  )
  const { unseen, show } = useLiveRecords<ConferencesListItem>({
    list,
    eventPrefix: 'conference.',
    idOf: item => item.conferenceId,
    isMoving: item => item.state !== 'ended',
    fits: item => fits(item, filters),
  })
  return (
    <>
      <PageHeader
        title="Conferences"
        description="Calls that several people are in, newest first. One opens when the first call joins it by its name."
      />
      <Toolbar label="Filters of conferences">
        <TextFilter name="name" label="Name" params={params} onChange={change} placeholder="daily" pageSearch />
        <SelectFilter
          name="state"
          label="State"
          all="All"
          params={params}
          onChange={change}
          options={Object.entries(stateWords).map(([value, { word }]) => ({ value, label: word }))}
        />
      </Toolbar>
      <Card flush>
        <NewOnTop count={unseen} noun="conference" onShow={show} />
        <CursorTable
          list={list}
          noun="conferences"
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <UsersRound size={20} />,
            title: 'No conferences yet',
            text: 'Calls join one by the instruction "conference" with a name; the first one opens it.',
            ...(permissions.has('calls:create') && {
              action: (
                <ButtonLink to="/playground" search={{ endpoint: 'calls.create' }} icon={<Play size={14} />}>
                  Start a call
                </ButtonLink>
              ),
            }),
          }}
          caption="Conferences"
          columns={columns}
          rowKey={item => item.conferenceId}
          rowLink={item => ({ to: '/conferences/$id', params: { id: item.conferenceId } })}
          subline={item => <Time iso={item.createdAt} />}
          openLabel={item => `Open the conference ${item.name}, ${stateWords[item.state].word}`}
        />
      </Card>
    </>
  )
}

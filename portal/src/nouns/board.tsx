// Records on a board: a column for each word of a choice or state. A card is dragged to another column, or moved by its menu; only to
// where the noun's states let it come.
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, countText, ErrorState, IconButton, Menu, StatusChip, TextLink, toast } from '../ui/index.ts'
import { type NounPage, type Patch, useNounApi } from './api.ts'
import {
  fieldNamed,
  fieldValue,
  movesOf,
  type NounDescription,
  type NounField,
  type NounRecord,
  pathOf,
  titleOf,
  wordOf,
} from './noun.ts'
import styles from './nouns.module.css'
import { useRecords, withRecord } from './records.ts'
import { t } from './texts.ts'
import { FieldValue } from './values.tsx'

export type BoardProps = {
  noun: NounDescription
  field: NounField
  /** Filters and order of the list. */
  query: Patch
  mayEdit(record: NounRecord): boolean
  /** Whether a record may come there, where the states let it. */
  mayMove?(record: NounRecord, to: string): boolean
  /** Moves a record where more is asked than the state; undefined where nothing is. */
  onMove?(record: NounRecord, to: string): boolean
}

const kindOfDrag = 'application/x-tandem-record'

export function Board({ noun, field, query, mayEdit, mayMove, onMove }: BoardProps) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const cache = useQueryClient()
  const [dragged, setDragged] = useState<NounRecord>()
  const asked = typeof query[field.name] === 'string' ? String(query[field.name]).split(',') : undefined
  const words = (field.choices ?? []).filter(word => asked?.includes(word) ?? true)
  const move = useMutation({
    mutationFn: ({ record, to }: { record: NounRecord; to: string }) =>
      own.update(record.id, { [field.name]: to }, record.version),
    // It leaves its lane at once, and comes into the other with its answer.
    onMutate: ({ record }) =>
      void cache.setQueriesData<InfiniteData<NounPage>>(
        { queryKey: [mode, noun.many, 'list'] },
        old => old && withRecord(old, record.id, () => undefined),
      ),
    onSuccess: (record, { to }) =>
      toast({ text: t('moved', { name: titleOf(noun, record), status: wordOf(field, to) }) }),
    onError: (error, { record }) =>
      toast({ text: t('failedNamed', { name: titleOf(noun, record), fault: faultText(error) }), tone: 'bad' }),
    onSettled: () => void cache.invalidateQueries({ queryKey: [mode, noun.many] }),
  })
  const movesFor = (record: NounRecord) =>
    mayEdit(record) ? movesOf(noun, field, record).filter(to => mayMove?.(record, to) ?? true) : []
  const go = (record: NounRecord, to: string) => {
    setDragged(undefined)
    if (record[field.name] === to || onMove?.(record, to) === true) return
    move.mutate({ record, to })
  }
  return (
    <div className={styles['board']}>
      {words.map(word => (
        <BoardColumn
          key={word}
          noun={noun}
          field={field}
          word={word}
          query={query}
          movesFor={movesFor}
          dragged={dragged !== undefined && movesFor(dragged).includes(word) ? dragged : undefined}
          onDrag={setDragged}
          onMove={go}
        />
      ))}
    </div>
  )
}

type BoardColumnProps = Pick<BoardProps, 'noun' | 'field' | 'query'> & {
  movesFor(record: NounRecord): readonly string[]
  word: string
  /** What is dragged and may come here. */
  dragged: NounRecord | undefined
  onDrag(record: NounRecord | undefined): void
  onMove(record: NounRecord, to: string): void
}

function BoardColumn({ noun, field, word, query, movesFor, dragged, onDrag, onMove }: BoardColumnProps) {
  const list = useRecords(noun, { ...query, [field.name]: word })
  const [over, setOver] = useState(false)
  const allow = (event: DragEvent) => {
    if (dragged === undefined) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      className={styles['lane']}
      aria-label={t('lane', { status: wordOf(field, word), count: countText(list.total, list.isExact) })}
      data-over={(over && dragged !== undefined) || undefined}
      data-open={dragged !== undefined || undefined}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        if (dragged !== undefined) onMove(dragged, word)
      }}
    >
      <h2 className={styles['laneHead']}>
        <StatusChip status={word} label={wordOf(field, word)} />
        <span className={styles['faint']}>{countText(list.total, list.isExact)}</span>
      </h2>
      {list.query.error != null && list.records.length === 0 && (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      )}
      <ul>
        {list.records.map(record => (
          <Card
            key={record.id}
            noun={noun}
            field={field}
            record={record}
            moves={movesFor(record)}
            onDrag={onDrag}
            onMove={to => onMove(record, to)}
          />
        ))}
      </ul>
      {list.query.hasNextPage && (
        <Button size="sm" busy={list.query.isFetchingNextPage} onClick={() => void list.query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

type CardProps = {
  noun: NounDescription
  field: NounField
  record: NounRecord
  moves: readonly string[]
  onDrag(record: NounRecord | undefined): void
  onMove(to: string): void
}

function Card({ noun, field, record, moves, onDrag, onMove }: CardProps) {
  const title = titleOf(noun, record)
  const shown = noun.columns
    .filter(name => name !== noun.title && name !== field.name && name !== 'created_at')
    .flatMap(name => fieldNamed(noun, name) ?? [])
    .filter(one => (fieldValue(one, record) ?? '') !== '')
    .slice(0, 2)
  return (
    <li
      className={styles['card']}
      draggable={moves.length > 0}
      onDragStart={event => {
        event.dataTransfer.setData(kindOfDrag, String(record.id))
        event.dataTransfer.effectAllowed = 'move'
        onDrag(record)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <div className={styles['cardHead']}>
        <TextLink to={`${pathOf(noun)}/$id` as '/leads/$id'} params={{ id: String(record.id) }}>
          {title}
        </TextLink>
        {moves.length > 0 && (
          <Menu
            trigger={
              <IconButton size="sm" label={t('moveNamed', { name: title })} icon={<MoreHorizontal size={14} />} />
            }
            items={moves.map(to => ({
              key: to,
              label: t('moveTo', { status: wordOf(field, to) }),
              onSelect: () => onMove(to),
            }))}
          />
        )}
      </div>
      {shown.map(one => (
        <div key={one.name} className={styles['faint']}>
          <FieldValue field={one} value={fieldValue(one, record)} compact />
        </div>
      ))}
    </li>
  )
}

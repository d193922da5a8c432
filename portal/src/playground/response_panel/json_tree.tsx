// JSON as a tree that opens level by level; the keyboard moves in it as in any tree (ARIA Authoring Practices, Tree View).

import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { classes } from '../../ui/index.ts'
import { countText } from '../../words/format.ts'
import { visible } from '../body/body_work.ts'
import styles from './json_tree.module.css'
import { t } from './texts.ts'
import { hasMembers, isBranch, type TreeRow, treeRows } from './tree_rows.ts'

export type JsonTreeProps = {
  value: unknown
  label: string
  onSelect(pointer: string, value: unknown): void
  onId(id: string): void
}

export function JsonTree({ value, label, onSelect, onId }: JsonTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstLevels(value))
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map())
  const [active, setActive] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => treeRows(value, open, limits), [value, open, limits])

  const toggle = (pointer: string, next: boolean) => {
    const changed = new Set(open)
    if (next) changed.add(pointer)
    else changed.delete(pointer)
    setOpen(changed)
  }
  const goTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined) return
    setActive(row.pointer)
    if (row.kind !== 'more') onSelect(row.pointer, row.value)
    box.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[rows.indexOf(row)]?.focus()
  }
  const act = (row: TreeRow) => {
    if (row.kind === 'more') setLimits(new Map(limits).set(row.parent, (limits.get(row.parent) ?? 100) + 500))
    else if (hasMembers(row.value)) toggle(row.pointer, !open.has(row.pointer))
  }
  const onKeyDown = (event: KeyboardEvent, row: TreeRow, index: number) => {
    const branch = row.kind !== 'more' && hasMembers(row.value)
    const isOpen = open.has(row.pointer)
    const actions: Record<string, (() => void) | undefined> = {
      ArrowDown: () => goTo(index + 1),
      ArrowUp: () => goTo(index - 1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ArrowRight: branch ? () => (isOpen ? goTo(index + 1) : toggle(row.pointer, true)) : undefined,
      ArrowLeft: () => {
        if (branch && isOpen) toggle(row.pointer, false)
        else goTo(rows.findLastIndex((other, at) => at < index && other.depth < row.depth))
      },
      Enter: () => act(row),
      ' ': () => act(row),
    }
    const action = event.ctrlKey || event.metaKey ? undefined : actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  const current = rows.some(row => row.pointer === active) ? active : ''

  return (
    <div ref={box} className={styles['tree']} role="tree" aria-label={label}>
      {rows.map((row, index) => (
        <div
          key={row.pointer}
          role="treeitem"
          aria-level={row.depth + 1}
          aria-selected={row.pointer === current}
          aria-expanded={row.kind !== 'more' && hasMembers(row.value) ? open.has(row.pointer) : undefined}
          tabIndex={row.pointer === current ? 0 : -1}
          className={classes(styles['item'], row.pointer === current && styles['active'])}
          style={{ paddingLeft: 8 + row.depth * 16 }}
          onKeyDown={event => onKeyDown(event, row, index)}
          onClick={() => {
            goTo(index)
            act(row)
          }}
        >
          {row.kind === 'more' ? (
            <span className={styles['more']}>{t('showMore', { count: row.rest })}</span>
          ) : (
            <>
              <span className={styles['mark']} aria-hidden="true">
                {hasMembers(row.value) &&
                  (open.has(row.pointer) ? <ChevronDown size={13} /> : <ChevronRight size={13} />)}
              </span>
              {row.name !== undefined && <span className={styles['key']}>{visible(row.name)}</span>}
              {row.name !== undefined && <span>: </span>}
              <Value value={row.value} onId={onId} />
            </>
          )}
        </div>
      ))}
    </div>
  )
}

function firstLevels(value: unknown): Set<string> {
  const open = new Set<string>([''])
  if (!isBranch(value)) return open
  for (const row of treeRows(value, open, new Map())) {
    if (row.kind !== 'more' && isBranch(row.value) && row.depth <= 1 && Object.keys(row.value).length <= 20)
      open.add(row.pointer)
  }
  return open
}

function Value({ value, onId }: { value: unknown; onId(id: string): void }) {
  if (Array.isArray(value)) return <span className={styles['count']}>[{countText(value.length)}]</span>
  if (isBranch(value)) return <span className={styles['count']}>{`{${countText(Object.keys(value).length)}}`}</span>
  if (typeof value === 'string') {
    if (/^(?:msg|call|req|key|evt)_[0-9a-z]{26}$/.test(value)) {
      return (
        <button
          type="button"
          className={styles['id']}
          tabIndex={-1}
          title={t('inspect')}
          onClick={event => {
            event.stopPropagation()
            onId(value)
          }}
        >
          {value}
        </button>
      )
    }
    return <span className={styles['string']}>{visible(JSON.stringify(value))}</span>
  }
  const kind = typeof value === 'number' ? 'number' : 'atom'
  return <span className={styles[kind]}>{JSON.stringify(value)}</span>
}

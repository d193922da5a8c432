// Marks faults in the text and beside its lines, a moment after one stops typing; pointing at one says what it is.
import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  GutterMarker,
  gutter,
  hoverTooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

export type Fault = { from: number; to: number; message: string }

const DELAY_MS = 250
const setFaults = StateEffect.define<readonly Fault[]>()

export const faultField = StateField.define<readonly Fault[]>({
  create: () => [],
  update(faults, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFaults)) return effect.value
    if (!transaction.docChanged) return faults
    return faults.map(fault => ({
      ...fault,
      from: transaction.changes.mapPos(fault.from, 1),
      to: transaction.changes.mapPos(fault.to, -1),
    }))
  },
  provide: field =>
    EditorView.decorations.from(field, faults =>
      Decoration.set(
        faults.flatMap(({ from, to }) => (to > from ? [Decoration.mark({ class: 'cm-fault' }).range(from, to)] : [])),
        true,
      ),
    ),
})

// CodeMirror asks for a class here.
class Mark extends GutterMarker {
  readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
  override toDOM(): Node {
    const mark = document.createElement('span')
    mark.className = 'cm-faultMark'
    mark.title = this.text
    return mark
  }
  override eq(other: Mark): boolean {
    return other.text === this.text
  }
}

const marks = gutter({
  class: 'cm-faultGutter',
  markers(view) {
    const byLine = new Map<number, string[]>()
    for (const { from, message } of view.state.field(faultField)) {
      const line = view.state.doc.lineAt(Math.min(from, view.state.doc.length)).from
      byLine.set(line, [...(byLine.get(line) ?? []), message])
    }
    const lines = [...byLine].sort(([a], [b]) => a - b)
    return RangeSet.of(lines.map(([line, messages]) => new Mark(messages.join('\n')).range(line)))
  },
})

const pointedAt = hoverTooltip((view, at) => {
  const here = view.state.field(faultField).filter(({ from, to }) => at >= from && at <= Math.max(to, from + 1))
  const first = here[0]
  if (first === undefined) return null
  return {
    pos: first.from,
    end: Math.max(first.to, first.from + 1),
    create() {
      const dom = document.createElement('div')
      dom.className = 'cm-faultTip'
      for (const { message } of here) dom.appendChild(document.createElement('p')).textContent = message
      return { dom }
    },
  }
})

/** `check` reads the text; `onFaults` hears what was found. `again` makes it look once more. */
export function faultMarks(
  check: (text: string) => Fault[],
  onFaults: (faults: readonly Fault[]) => void,
  again: (update: ViewUpdate) => boolean,
): Extension {
  const looker = ViewPlugin.define(view => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const { doc } = view.state
      const faults = check(doc.toString()).map(({ from, to, message }) => ({
        from: Math.min(from, doc.length),
        to: Math.min(to, doc.length),
        message,
      }))
      view.dispatch({ effects: setFaults.of(faults) })
      onFaults(faults)
    }
    const later = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(look, ms)
    }
    later(0)
    return {
      update(update) {
        if (update.docChanged) later(DELAY_MS)
        else if (again(update)) later(0)
      },
      destroy: () => clearTimeout(timer),
    }
  })
  return [faultField, marks, pointedAt, looker]
}

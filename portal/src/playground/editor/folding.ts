// Folding: an object or list that spans several lines can be shut to one, by the mark beside its line or by keys.
import {
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state'
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  type KeyBinding,
  WidgetType,
} from '@codemirror/view'
import { t } from '../texts.ts'
import { pairsField } from './brackets.ts'

type Fold = { from: number; to: number }
const shut = StateEffect.define<readonly Fold[]>()
const unshut = StateEffect.define<Fold | 'all'>()

// CodeMirror asks for classes here.
class Dots extends WidgetType {
  override toDOM(view: EditorView): HTMLElement {
    const dots = document.createElement('span')
    dots.className = 'cm-foldPlaceholder'
    dots.textContent = '…'
    dots.title = t('unfold')
    dots.onclick = () => {
      const at = view.posAtDOM(dots)
      const fold = foldsIn(view.state).find(each => each.from === at)
      if (fold !== undefined) view.dispatch({ effects: unshut.of(fold) })
    }
    return dots
  }
  override eq(): boolean {
    return true
  }
  override ignoreEvent(): boolean {
    return false
  }
}
const dots = Decoration.replace({ widget: new Dots() })

const folded = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(shut))
        next = next.update({ add: effect.value.map(({ from, to }) => dots.range(from, to)), sort: true })
      if (effect.is(unshut)) {
        const { value } = effect
        next = value === 'all' ? Decoration.none : next.update({ filter: from => from !== value.from })
      }
    }
    return withoutTouched(next, transaction)
  },
  provide: field => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of(view => view.state.field(field, false) ?? RangeSet.empty),
  ],
})

// What is written or selected must be seen.
function withoutTouched(
  marks: DecorationSet,
  { docChanged, changes, selection, newSelection }: Transaction,
): DecorationSet {
  if (marks.size === 0 || (!docChanged && selection === undefined)) return marks
  const { from: low, to: high } = newSelection.main
  return marks.update({
    filter: (from, to) => !(low < to && high > from) && !(docChanged && changes.touchesRange(from, to) !== false),
  })
}

function foldsIn(state: EditorState): Fold[] {
  const folds: Fold[] = []
  state.field(folded).between(0, state.doc.length, (from, to) => void folds.push({ from, to }))
  return folds
}

/** What can be folded on a line: the last bracket opened there that closes on another line. */
function foldable(state: EditorState, lineFrom: number, lineTo: number): Fold | undefined {
  const pairs = state.field(pairsField)
  let low = 0
  let high = pairs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pairs[middle]!.open < lineFrom) low = middle + 1
    else high = middle
  }
  let found: Fold | undefined
  for (let index = low; index < pairs.length && pairs[index]!.open < lineTo; index++) {
    const { open, close } = pairs[index]!
    if (close > lineTo) found ??= { from: open + 1, to: close }
  }
  return found
}

class Mark extends GutterMarker {
  readonly open: boolean
  constructor(open: boolean) {
    super()
    this.open = open
  }
  override toDOM(): Node {
    const mark = document.createElement('span')
    mark.textContent = this.open ? '\u2304' : '\u203a'
    mark.title = t(this.open ? 'fold' : 'unfold')
    return mark
  }
}
const openMark = new Mark(true)
const shutMark = new Mark(false)

function toggle(view: EditorView, lineFrom: number): boolean {
  const line = view.state.doc.lineAt(lineFrom)
  const fold = foldable(view.state, line.from, line.to)
  const isShut = foldsIn(view.state).find(each => each.from >= line.from && each.from <= line.to)
  if (isShut !== undefined) view.dispatch({ effects: unshut.of(isShut) })
  else if (fold !== undefined) view.dispatch({ effects: shut.of([fold]) })
  else return false
  return true
}

const toggleHere: Command = view => toggle(view, view.state.selection.main.head)
const shutAll: Command = view => {
  const lines = view.state.field(pairsField).map(({ open }) => view.state.doc.lineAt(open))
  // The outermost stays open, or nothing would be left to see.
  const found = lines.slice(1).flatMap(line => foldable(view.state, line.from, line.to) ?? [])
  const folds = [...new Map(found.map(fold => [fold.from, fold])).values()]
  view.dispatch({ effects: [unshut.of('all'), shut.of(folds)] })
  return true
}
const openAll: Command = view => {
  view.dispatch({ effects: unshut.of('all') })
  return true
}

export const foldKeys: readonly KeyBinding[] = [
  { key: 'Ctrl-Shift-[', mac: 'Cmd-Alt-[', run: toggleHere },
  { key: 'Ctrl-Shift-]', mac: 'Cmd-Alt-]', run: toggleHere },
  { key: 'Ctrl-Alt-[', run: shutAll },
  { key: 'Ctrl-Alt-]', run: openAll },
]

export const folding: Extension = [
  folded,
  gutter({
    class: 'cm-foldGutter',
    lineMarker(view, { from, to }) {
      if (foldsIn(view.state).some(fold => fold.from >= from && fold.from <= to)) return shutMark
      return foldable(view.state, from, to) === undefined ? null : openMark
    },
    lineMarkerChange: update => update.docChanged || update.startState.field(folded) !== update.state.field(folded),
    domEventHandlers: { click: (view, line) => toggle(view, line.from) },
  }),
]

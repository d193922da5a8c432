// The list of what may be written at the cursor, after the combobox pattern of the ARIA Authoring Practices: focus stays in
// the text, the chosen line is named by aria-activedescendant.
import { type EditorState, type Extension, Prec, StateEffect, StateField, type Transaction } from '@codemirror/state'
import { type Command, EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view'
import type { Completion, Suggestion } from '../json/json_complete.ts'
import { t } from '../texts.ts'

type Open = Completion & { index: number }
type Ask = (state: EditorState, at: number) => Completion | undefined

const setOpen = StateEffect.define<Open | null>()
const LIST_ID = 'json-suggestions'
const MAX_SHOWN = 60

/** Those that go with what is typed: beginnings first, then anywhere in the word. */
export function narrow(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const text = typed.replaceAll('"', '').toLowerCase()
  if (text === '') return suggestions.slice(0, MAX_SHOWN)
  const place = ({ label }: Suggestion) => label.toLowerCase().indexOf(text)
  return suggestions
    .filter(each => place(each) !== -1)
    .sort((a, b) => Math.sign(place(a)) - Math.sign(place(b)))
    .slice(0, MAX_SHOWN)
}

function askAt(ask: Ask, state: EditorState, explicit: boolean, isOpen = false): Open | null {
  const { main } = state.selection
  if (!main.empty) return null
  const at = main.head
  // Unasked only after something that begins a word: else every space would open it.
  if (!explicit && !/["\w{+:-]/.test(state.sliceDoc(Math.max(0, at - 1), at))) return null
  const found = ask(state, at)
  if (found === undefined) return null
  const typed = state.sliceDoc(found.from, at)
  // Asked for on a finished value, the list shows what else it could be.
  const isWhole = found.suggestions.some(({ insert }) => insert === state.sliceDoc(found.from, found.to))
  const suggestions = narrow(found.suggestions, isWhole && !isOpen ? '' : typed)
  // Nothing to say when it is written already.
  if (suggestions.length === 0 || (!explicit && suggestions.length === 1 && suggestions[0]?.insert === typed))
    return null
  return { ...found, suggestions, index: 0 }
}

function nextOpen(open: Open | null, transaction: Transaction, ask: Ask): Open | null {
  for (const effect of transaction.effects) if (effect.is(setOpen)) return effect.value
  if (transaction.isUserEvent('input.complete')) return null
  if (transaction.isUserEvent('input.type')) return askAt(ask, transaction.state, open !== null, true)
  if (transaction.isUserEvent('delete')) return open === null ? null : askAt(ask, transaction.state, true, true)
  return transaction.docChanged || transaction.selection !== undefined ? null : open
}

/** `ask` knows what may stand at a place. */
export function completion(ask: Ask): Extension {
  const field = StateField.define<Open | null>({
    create: () => null,
    update: (open, transaction) => nextOpen(open, transaction, ask),
    provide: field => [
      showTooltip.from(field, open => (open === null ? null : tooltipOf(open.from))),
      EditorView.contentAttributes.from(field, open => attributes(open)),
    ],
  })

  function tooltipOf(pos: number): Tooltip {
    return {
      pos,
      above: false,
      create(view) {
        const dom = document.createElement('div')
        dom.className = 'cm-suggestions'
        const draw = () => {
          const open = view.state.field(field)
          if (open !== null) drawList(dom, open, suggestion => apply(view, open, suggestion))
        }
        draw()
        return { dom, update: draw }
      },
    }
  }

  const move =
    (by: number): Command =>
    view => {
      const open = view.state.field(field)
      if (open === null) return false
      const count = open.suggestions.length
      view.dispatch({ effects: setOpen.of({ ...open, index: (open.index + by + count) % count }) })
      return true
    }
  const choose: Command = view => {
    const open = view.state.field(field)
    const suggestion = open?.suggestions[open.index]
    if (open === null || suggestion === undefined) return false
    apply(view, open, suggestion)
    return true
  }
  const close: Command = view => {
    if (view.state.field(field) === null) return false
    view.dispatch({ effects: setOpen.of(null) })
    return true
  }
  const start: Command = view => {
    view.dispatch({ effects: setOpen.of(askAt(ask, view.state, true)) })
    return true
  }
  return [
    field,
    EditorView.domEventHandlers({ blur: (_, view) => void close(view) }),
    Prec.highest(
      keymap.of([
        { key: 'Ctrl-Space', run: start },
        { key: 'ArrowDown', run: move(1) },
        { key: 'ArrowUp', run: move(-1) },
        { key: 'PageDown', run: move(8) },
        { key: 'PageUp', run: move(-8) },
        { key: 'Enter', run: choose },
        { key: 'Tab', run: choose },
        { key: 'Escape', run: close },
      ]),
    ),
  ]
}

function attributes(open: Open | null): Record<string, string> {
  const fixed = { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' }
  return open === null
    ? fixed
    : { ...fixed, 'aria-controls': LIST_ID, 'aria-activedescendant': `${LIST_ID}-${open.index}` }
}

// The cursor goes between the quotes or brackets of an empty value, else behind it.
function apply(view: EditorView, { from, to }: Open, { insert }: Suggestion): void {
  const inside = /(""|\{\}|\[\])$/.test(insert) ? 1 : 0
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length - inside },
    scrollIntoView: true,
    userEvent: 'input.complete',
  })
  view.focus()
}

function drawList(dom: HTMLElement, open: Open, onChoose: (suggestion: Suggestion) => void): void {
  const list = document.createElement('ul')
  list.id = LIST_ID
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', t('suggestions'))
  for (const [index, suggestion] of open.suggestions.entries()) {
    const item = list.appendChild(document.createElement('li'))
    item.id = `${LIST_ID}-${index}`
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', String(index === open.index))
    item.appendChild(document.createElement('span')).textContent = suggestion.label
    const detail = item.appendChild(document.createElement('small'))
    detail.textContent = suggestion.required ? `${suggestion.detail}, required` : suggestion.detail
    item.onmousedown = event => {
      event.preventDefault()
      onChoose(suggestion)
    }
  }
  const info = document.createElement('p')
  info.textContent = open.suggestions[open.index]?.info ?? ''
  dom.replaceChildren(list, ...(info.textContent === '' ? [] : [info]))
  requestAnimationFrame(() => list.children[open.index]?.scrollIntoView({ block: 'nearest' }))
}
